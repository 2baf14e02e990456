import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions } from '../../sandbox/provider.ts';

/** Claims that the scopes `profile` and `email` release, in ID Tokens and at UserInfo. */
const identity = [
  { when: ['user', 'scope.profile'], claims: { nickname: '${user.username}', name: '${user.claims.email}' } },
  {
    when: ['user', 'scope.profile'],
    claims: {
      given_name: '${user.claims.given_name}',
      family_name: '${user.claims.family_name}',
      nickname: '${user.claims.nickname}',
      name: '${user.claims.name}',
      picture: '${user.claims.picture}',
      updated_at: '${user.updated_at}',
    },
  },
  {
    when: ['user', 'scope.email'],
    claims: { email: '${user.claims.email}', email_verified: '${user.claims.email_verified}' },
  },
];

/** A login to an organization. */
const organization = {
  when: 'organization',
  claims: { org_id: '${organization.id}', org_name: '${organization.name}' },
};

/** Tokens, UserInfo and the token response of a tenant. `token_dialect` is that of its APIs (Access token profiles). */
export function forms({ token_dialect = '' }: PresetOptions): DialectData['forms'] {
  const isRfc9068 = token_dialect.startsWith('rfc9068');
  const hasPermissions = token_dialect.endsWith('_authz');
  return {
    accessToken: {
      // `jti` stays in both profiles: without it two tokens of one second would be the same
      omit: ['nbf', 'acr', 'amr', 'auth_time', 'sid', 'client_id'],
      rules: [
        { claims: { aud: ['${...resources}'] } },
        { when: ['user', 'scope.openid'], claims: { aud: ['${...resources}', '${issuer}/userinfo'] } },
        { claims: isRfc9068 ? { client_id: '${client.client_id}' } : { azp: '${client.client_id}' } },
        { when: '!user', claims: { sub: '${client.client_id}@clients' } },
        ...(isRfc9068 ? [] : machineGrant),
        ...(hasPermissions ? permissions : []),
        organization,
      ],
    },
    idToken: {
      omit: ['acr', 'amr', 'azp'],
      rules: [
        // a tenant has it only in answers of the front channel
        { when: 'request.code_verifier', claims: {}, omit: ['at_hash'] },
        ...identity,
        organization,
      ],
    },
    userinfo: { omit: [], rules: identity },
    tokenResponse: {
      omit: [],
      rules: [
        // a refresh token that stays in use is not sent again
        { when: ['request.refresh_token', '!client.refresh_token_rotation'], claims: {}, omit: ['refresh_token'] },
      ],
    },
  };
}

const machineGrant = [
  { when: '!user', claims: { gty: 'client-credentials' } },
  { when: ['user', 'request.password'], claims: { gty: 'password' } },
];

/** `permissions` of a user, or the scopes of a client that acts for itself. */
const permissions = [
  { claims: { permissions: [] } },
  {
    when: 'user',
    claims: { permissions: ['${...user.claims.permissions}', '${...organization.permissions}'] },
  },
  { when: '!user', claims: { permissions: '${scope_names}' } },
];
