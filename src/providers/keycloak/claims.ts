import { type AnyMembers, isRecord } from '../../base/text/record.ts';
import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { TestUser } from '../../protocol/users/user.ts';

/** Released by the scopes `profile` and `email`, in each token (default client scopes of a realm). */
const profile = {
  email_verified: '${user.claims.email_verified}',
  name: '${user.claims.name}',
  preferred_username: '${user.claims.preferred_username}',
  given_name: '${user.claims.given_name}',
  family_name: '${user.claims.family_name}',
  email: '${user.claims.email}',
};

const identity = [
  {
    when: ['user', 'scope.profile'],
    claims: {
      name: profile.name,
      preferred_username: profile.preferred_username,
      given_name: profile.given_name,
      family_name: profile.family_name,
    },
  },
  { when: ['user', 'scope.email'], claims: { email_verified: profile.email_verified, email: profile.email } },
];

const login = { sid: '${session.sid}', auth_time: '${session.auth_time}', azp: '${client.client_id}', acr: '1' };

/** The role that every user has, besides those of the realm. */
const defaultRoles = ['default-roles-${options.realm}', 'offline_access', 'uma_authorization'];

const accountRoles = { roles: ['manage-account', 'manage-account-links', 'view-profile'] };

function clientRoles({ claims: { client_roles } }: TestUser): AnyMembers {
  const byClient = isRecord(client_roles) ? Object.entries(client_roles) : [];
  return Object.fromEntries(byClient.map(([client, roles]) => [client, { roles }]));
}

/** Tokens, UserInfo and the token response of a realm with the default client scopes. */
export const forms: DialectData['forms'] = {
  accessToken: {
    omit: ['client_id', 'nbf', 'acr', 'amr', 'aud'],
    rules: [
      {
        claims: {
          typ: 'Bearer',
          azp: '${client.client_id}',
          acr: '1',
          'allowed-origins': '${client.web_origins}',
          aud: ['${...audience}'],
        },
      },
      {
        when: 'user',
        claims: {
          aud: ['${...audience}', '${...user.role_clients}', 'account'],
          realm_access: { roles: [...defaultRoles, '${...user.claims.roles}'] },
        },
      },
      ({ user }) => user && { resource_access: { ...clientRoles(user), account: accountRoles } },
      {
        when: '!user',
        claims: {
          preferred_username: 'service-account-${client.client_id}',
          client_id: '${client.client_id}',
          email_verified: false,
          // roles of a service account are claims of its client
          realm_access: { roles: [...defaultRoles, '${...client.access_token_claims.realm_access.roles}'] },
        },
      },
      ...identity,
    ],
  },
  idToken: { omit: ['amr'], rules: [{ claims: { typ: 'ID', jti: '${ids.token}', ...login } }, ...identity] },
  refreshToken: {
    omit: ['auth_time', 'acr', 'amr', 'nonce'],
    rules: [{ claims: { typ: 'Refresh' } }, { when: 'scope.offline_access', claims: { typ: 'Offline' } }],
  },
  userinfo: { omit: [], rules: identity },
  tokenResponse: {
    omit: [],
    rules: [
      { claims: { refresh_expires_in: 0, 'not-before-policy': 0 } },
      { when: 'token.refresh_token', claims: { refresh_expires_in: '${lifetimes.refreshToken}' } },
      // an offline token has no end of its own
      { when: ['token.refresh_token', 'scope.offline_access'], claims: { refresh_expires_in: 0 } },
      { when: 'session.sid', claims: { session_state: '${session.sid}' } },
    ],
  },
};
