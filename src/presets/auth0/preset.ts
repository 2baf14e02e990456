import type { ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { grants } from './grants.ts';
import { metadata } from './metadata.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Auth0: the address of an issuer is that of a tenant. */
export const auth0: ProviderPreset = {
  title: 'Auth0',
  issuerPath: () => '',
  dialect: options => ({
    name: 'auth0',
    options,
    identifier: '${issuer}/',
    metadata,
    forms: forms(options),
    messages: { web_message: { type: 'authorization_response', response: '${response}' } },
    parameterNames: { audience: 'resource', returnTo: 'post_logout_redirect_uri' },
    resources: ['${issuer}/api/v2/', '${issuer}/userinfo'],
    opaqueWithoutResource: true,
    refreshNeedsScope: true,
    userinfoByScope: true,
    organizations: true,
    accessTokenType: options.token_dialect?.startsWith('rfc9068') ? 'at+jwt' : 'JWT',
    errors,
  }),
  paths: {
    authorize: '/authorize',
    token: '/oauth/token',
    jwks: '/.well-known/jwks.json',
    userinfo: '/userinfo',
    endSession: '/oidc/logout',
    revoke: '/oauth/revoke',
    pushedAuthorizationRequest: '/oauth/par',
    deviceAuthorization: '/oauth/device/code',
    deviceVerification: '/activate',
    backchannelAuthentication: '/bc-authorize',
    register: '/oidc/register',
  },
  grants,
  routes,
  management: {
    paths: () => ['/api/v2'],
    load: async () => (await import('./api/api.ts')).createManagementApi,
  },
  unserved,
  pageIds: { loginAction: 'default' },
};
