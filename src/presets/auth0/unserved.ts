import type { Unserved } from '../../http/unknown-path.ts';

const pages = 'Begin a login at /authorize: the login page of the sandbox follows.';

/** Calls of Auth0 that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  { path: '/u', what: 'the pages of Universal Login', instead: pages },
  { path: '/usernamepassword', what: 'the login of the Lock widget', instead: pages },
  { path: '/co', what: 'cross-origin authentication', instead: 'Send the grant password-realm to /oauth/token.' },
  {
    path: '/mfa/associate',
    what: 'the enrolment of second factors',
    instead: 'Write the factors of a user as claims.factors, and ask GET /mfa/authenticators.',
  },
  {
    path: '/passwordless',
    what: 'logins by a code in an e-mail or a text message',
    instead: 'Send the grant password-realm to /oauth/token.',
  },
  { path: '/passkey', what: 'passkeys', instead: pages },
  {
    path: '/oauth/global-token-revocation',
    what: 'global token revocation',
    instead: 'Revoke a refresh token with POST /oauth/revoke.',
  },
  {
    path: '/samlp',
    what: 'SAML',
    instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
  },
  { path: '/wsfed', what: 'WS-Federation', instead: 'Use the OpenID Connect endpoints of the metadata.' },
  { path: '/me/v1', what: 'the My Account API', instead: 'Change users with /api/v2/users.' },
  { path: '/scim/v2', what: 'SCIM', instead: 'Create and change users with /api/v2/users.' },
];
