import type { MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
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
      instead: 'The dashboard changes users; GET /account with a token answers the profile.',
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
      what: 'the actions of the login pages of Keycloak',
      instead: 'Begin a login at the authorization endpoint.',
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
