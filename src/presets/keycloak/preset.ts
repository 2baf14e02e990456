import type { ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { metadata } from './metadata.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Keycloak 26: one realm is one issuer. */
export const keycloak: ProviderPreset = {
  title: 'Keycloak',
  issuerPath: ({ realm }) => `/realms/${realm}`,
  dialect: options => ({ name: 'keycloak', options, metadata, forms, accessTokenType: 'JWT', errors }),
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
  unserved,
  // login.ftl, logout-confirm.ftl
  pageIds: {
    loginForm: 'kc-form-login',
    loginButton: 'kc-login',
    loginError: 'input-error-username',
    logoutButton: 'kc-logout',
  },
};
