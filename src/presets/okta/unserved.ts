import type { Unserved } from '../../http/unknown-path.ts';

/** Calls of Okta below an authorization server that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  {
    path: '/v1/interact',
    what: 'the Identity Engine (IDX)',
    instead: 'Begin a login at the authorization endpoint, by a redirect or with a sessionToken of POST /api/v1/authn.',
  },
  {
    path: '/v1/challenge',
    what: 'Direct Authentication with factors',
    instead: 'Begin a login at the authorization endpoint.',
  },
  {
    path: '/v1/oob-authenticate',
    what: 'Direct Authentication out of band',
    instead: 'Use backchannel authentication (POST /v1/bc/authorize) or the device grant.',
  },
  {
    path: '/idp',
    what: 'the Identity Engine (IDX) and MyAccount',
    instead: 'Begin a login at the authorization endpoint. GET /api/v1/users/me answers the profile.',
  },
  {
    path: '/sso',
    what: 'SAML and identity brokering',
    instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
  },
  {
    path: '/app',
    what: 'the app links of the end-user dashboard',
    instead: 'Begin a login at the authorization endpoint.',
  },
  {
    path: '/scim',
    what: 'SCIM provisioning',
    instead: 'Create users by POST /api/v1/users.',
  },
];
