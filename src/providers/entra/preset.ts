import type { ProviderPreset } from '../../sandbox/provider.ts';
import { dialect } from './dialect.ts';
import { onBehalfOf } from './on-behalf-of.ts';
import { aliasesOf } from './places.ts';
import { routes } from './routes.ts';

/** Microsoft Entra ID: one tenant is one issuer. */
export const entra: ProviderPreset = {
  title: 'Microsoft Entra ID',
  issuerPath: ({ tenant }) => `/${tenant}`,
  aliases: aliasesOf,
  dialect,
  paths: {
    authorize: '/oauth2/v2.0/authorize',
    token: '/oauth2/v2.0/token',
    jwks: '/discovery/v2.0/keys',
    userinfo: '/oidc/userinfo',
    endSession: '/oauth2/v2.0/logout',
    deviceAuthorization: '/oauth2/v2.0/devicecode',
    deviceVerification: '/oauth2/deviceauth',
  },
  grants: [onBehalfOf],
  routes,
  unserved: [
    { path: '/saml2', what: 'SAML', instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.' },
    { path: '/wsfed', what: 'WS-Federation', instead: 'Use the authorization endpoint /oauth2/v2.0/authorize.' },
    {
      path: '/federationmetadata',
      what: 'metadata of WS-Federation',
      instead: 'Read /v2.0/.well-known/openid-configuration.',
    },
    {
      path: '/adminconsent',
      what: 'admin consent',
      instead: 'Give the client its scopes: each scope counts as consented.',
    },
    {
      path: '/v2.0/adminconsent',
      what: 'admin consent',
      instead: 'Give the client its scopes: each scope counts as consented.',
    },
    { path: '/kerberos', what: 'Kerberos', instead: 'Use the authorization endpoint /oauth2/v2.0/authorize.' },
    {
      path: '/login',
      what: 'the forms of the sign-in pages of Entra ID',
      instead: 'Begin a sign-in at /oauth2/v2.0/authorize.',
    },
    {
      path: '/reprocess',
      what: 'the steps of the sign-in pages of Entra ID',
      instead: 'Begin a sign-in at /oauth2/v2.0/authorize.',
    },
  ],
  // the ids of the pages at login.microsoftonline.com, which end-to-end tests select
  pageIds: { loginForm: 'i0281', username: 'i0116', password: 'i0118', loginButton: 'idSIButton9' },
};
