import type { RequestForm, ResponseForm, ScopeForm } from '../../protocol/dialects/dialect-data.ts';

const auth = 'https://www.googleapis.com/auth/';

/** `email` and `profile` have a long name, which answers have. Either of them brings `openid`. */
export const scopes: ScopeForm = {
  names: { [`${auth}userinfo.email`]: 'email', [`${auth}userinfo.profile`]: 'profile' },
  adds: [{ scope: 'openid', with: ['email', 'profile'] }],
};

export const requests: RequestForm = { parameters: ['access_type', 'include_granted_scopes'] };

export const responses: ResponseForm = {
  omit: ['iss', 'session_state'],
  rules: [
    { claims: { scope: '${scopes}', authuser: '0', prompt: 'none' } },
    { when: 'consent', claims: { prompt: 'consent' } },
    { claims: { hd: '${user.claims.tenant}' } },
  ],
  offline: { parameter: 'access_type', value: 'offline' },
  addsEarlierScopes: 'include_granted_scopes',
};
