import type { ClaimRule } from '../../oauth/dialects/claim-rules.ts';
import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

const profile: ClaimRule = {
  when: ['user', 'scope.profile'],
  claims: {
    name: '${user.claims.name}',
    picture: '${user.claims.picture}',
    given_name: '${user.claims.given_name}',
    family_name: '${user.claims.family_name}',
  },
};

const email: ClaimRule = {
  when: ['user', 'scope.email'],
  claims: { email: '${user.claims.email}', email_verified: '${user.claims.email_verified}' },
};

/** The domain of a Workspace is the tenant of the user. */
const domain: ClaimRule = { when: 'user', claims: { hd: '${user.claims.tenant}' } };

/** Claims that the scope `profile` releases elsewhere, and Google does not have. */
const others = [
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'updated_at',
];

export const forms: DialectData['forms'] = {
  idToken: { omit: ['sid', 'auth_time', 'acr', 'amr', ...others], rules: [domain, email, profile] },
  userinfo: { omit: others, rules: [domain] },
  tokenResponse: { omit: ['scope'], rules: [{ claims: { scope: '${scopes}' } }] },
};
