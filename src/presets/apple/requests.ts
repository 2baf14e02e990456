import type { ClaimRule } from '../../oauth/dialects/claim-rules.ts';
import type { RequestForm, ResponseForm, ScopeForm } from '../../oauth/dialects/dialect-data.ts';

/** Each login gives an ID token. */
export const scopes: ScopeForm = { adds: [{ scope: 'openid' }] };

export const requests: RequestForm = {
  demandedMode: {
    mode: 'form_post',
    scopes: ['name', 'email'],
    description: 'response_mode must be form_post when name or email scope is requested.',
  },
};

const name = { firstName: '${user.claims.given_name}', lastName: '${user.claims.family_name}' };

/** `user` with this address. It comes with the first grant of a user to a client, and never again. */
function userRules(email: string, ...when: readonly string[]): readonly ClaimRule[] {
  return [
    { when: ['first', 'scope.email', ...when], claims: { user: { email } } },
    { when: ['first', 'scope.name', 'scope.email', ...when], claims: { user: { name, email } } },
  ];
}

export const responses: ResponseForm = {
  omit: ['iss', 'session_state'],
  rules: [
    { when: ['first', 'scope.name'], claims: { user: { name } } },
    ...userRules('${user.claims.email}'),
    ...userRules('${user.claims.relay_email}', 'user.claims.relay_email'),
  ],
};
