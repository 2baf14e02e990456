import { type AnyMembers, isRecord } from '../../base/text/record.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { routes } from './routes.ts';

/** Keycloak 26: one realm is one issuer. */
export const keycloak: ProviderPreset = {
  title: 'Keycloak',
  issuerPath: ({ realm }) => `/realms/${realm}`,
  dialect: () => ({
    metadata,
    forms,
    accessTokenType: 'JWT',
    takesSecretTwice: true,
    redirectUriNeeded: true,
    errors,
  }),
  paths: {
    authorize: '/protocol/openid-connect/auth',
    token: '/protocol/openid-connect/token',
    jwks: '/protocol/openid-connect/certs',
    userinfo: '/protocol/openid-connect/userinfo',
    endSession: '/protocol/openid-connect/logout',
    introspect: '/protocol/openid-connect/token/introspect',
    revoke: '/protocol/openid-connect/revoke',
    pushedAuthorizationRequest: '/protocol/openid-connect/ext/par/request',
    deviceAuthorization: '/protocol/openid-connect/auth/device',
    deviceVerification: '/device',
    backchannelAuthentication: '/protocol/openid-connect/ext/ciba/auth',
    register: '/clients-registrations/openid-connect',
    checkSession: '/protocol/openid-connect/login-status-iframe.html',
  },
  routes,
  management: {
    paths: ({ realm }) => [`/admin/realms/${realm}`, '/admin', '/realms/master'],
    load: async () => (await import('./admin/admin.ts')).createAdminApi,
  },
  unserved: [
    {
      path: '/account',
      what: 'the account console',
      instead: 'The dashboard changes users; GET /account with a token returns the profile.',
    },
    {
      path: '/protocol/saml',
      what: 'SAML',
      instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
    },
    {
      path: '/authz',
      what: 'Authorization Services (UMA)',
      instead: 'Give the user roles, and let the API read realm_access and resource_access.',
    },
    {
      path: '/broker',
      what: 'identity brokering',
      instead: 'Add the users of the other provider to `users`.',
    },
    {
      path: '/login-actions',
      what: 'the actions of the sign-in pages of Keycloak',
      instead: 'Begin a sign-in at the authorization endpoint.',
    },
  ],
  // login.ftl, logout-confirm.ftl
  pageIds: {
    loginForm: 'kc-form-login',
    loginButton: 'kc-login',
    loginError: 'input-error-username',
    logoutButton: 'kc-logout',
  },
};

/**
 * The metadata of a realm. The sandbox does not promise what it does not keep: `code_challenge_methods_supported` is
 * without `plain`, `response_types_supported` without `none`, and `acr_values_supported` without `0`.
 */
const metadata: MetadataForm = {
  add: {
    acr_values_supported: ['1'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'acr',
      'azp',
      'nonce',
    ],
    // public clients are not listed, although they may ask
    token_endpoint_auth_methods_supported: '${usual.introspection_endpoint_auth_methods_supported}',
    revocation_endpoint_auth_methods_supported: '${usual.introspection_endpoint_auth_methods_supported}',
  },
  omit: [
    'client_id_metadata_document_supported',
    'protected_resources',
    'ui_locales_supported',
    'service_documentation',
  ],
};

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

const badCredentials = 'Invalid client or Invalid client credentials';
const unknownClient = { status: 401, error: 'invalid_client', error_description: badCredentials };
const wrongSecret = { status: 401, error: 'unauthorized_client', error_description: badCredentials };
const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const text = (error_description: string) => ({ error_description });
const invalidRefreshToken = 'Invalid refresh token';
const invalidScopes = { status: 400, error: 'invalid_scope', error_description: 'Invalid scopes: ${sent}' };

/** Errors of Keycloak 26 by our reason, as its source writes them. Applications and SDKs compare the texts. */
export const errors: DialectData['errors'] = {
  // ClientIdAndSecretAuthenticator.java, AuthenticationProcessor.java
  client_unknown: unknownClient,
  client_unidentified: { status: 400, error: 'invalid_client', error_description: 'Missing client_id parameter' },
  client_secret_missing: wrongSecret,
  client_secret_wrong: wrongSecret,
  authentication_method_not_registered: unknownClient,
  client_assertion_signature_wrong: unknownClient,
  client_assertion_expired: unknownClient,
  client_assertion_replayed: unknownClient,
  // TokenEndpoint.java
  grant_type_unsupported: text('Unsupported grant_type'),
  parameter_repeated: text('duplicated parameter'),
  // ClientCredentialsGrantType.java, ResourceOwnerPasswordCredentialsGrantType.java, AuthorizationCodeGrantType.java
  grant_type_not_registered: [
    {
      sent: 'client_credentials',
      status: 401,
      error_description: 'Client not enabled to retrieve service account',
    },
    { sent: 'password', error_description: 'Client not allowed for direct access grants' },
    { sent: 'authorization_code', ...grant('Client not allowed to exchange code') },
    {
      sent: 'urn:ietf:params:oauth:grant-type:device_code',
      ...grant('Client not allowed OAuth 2.0 Device Authorization Grant'),
    },
  ],
  login_failed: { status: 401, error: 'invalid_grant', error_description: 'Invalid user credentials' },
  scope_not_registered: invalidScopes,
  scope_malformed: invalidScopes,
  code_expired_or_unknown: grant('Code not valid'),
  code_replayed: grant('Code not valid'),
  code_of_another_client: grant('Auth error: Found different client_id in clientSession'),
  redirect_uri_mismatch: grant('Incorrect redirect_uri'),
  redirect_uri_missing: [{ sent: 'none', ...grant('Incorrect redirect_uri') }],
  // PkceUtils.java
  pkce_mismatch: grant('PKCE verification failed: Code mismatch'),
  pkce_unexpected: grant('PKCE code verifier specified but challenge not present in authorization'),
  // RefreshTokenGrantType.java, AbstractRefreshTokenProvider.java
  refresh_token_expired_or_unknown: grant(invalidRefreshToken),
  refresh_token_of_another_client: grant(`${invalidRefreshToken}. Token client and authorized client don't match`),
  refresh_token_reused: grant('Maximum allowed refresh token reuse exceeded'),
  authorization_revoked: grant('Session not active'),
  token_ended: grant('Token is not active'),
  // DeviceGrantType.java
  authorization_pending: text('The authorization request is still pending'),
  polled_too_fast: text('Slow down'),
  device_code_expired: text('Device code is expired'),
  device_code_unknown: grant('Device code not valid'),
  device_code_used: grant('Device code not valid'),
};
