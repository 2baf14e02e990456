import type { Unserved } from '../../http/unknown-path.ts';

/** Calls of Entra ID that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
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
    what: 'the forms of the login pages of Entra ID',
    instead: 'Begin a login at /oauth2/v2.0/authorize.',
  },
  {
    path: '/reprocess',
    what: 'the steps of the login pages of Entra ID',
    instead: 'Begin a login at /oauth2/v2.0/authorize.',
  },
];
