import type { Unserved } from '../../http/unknown-path.ts';

/** Calls of Keycloak that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
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
];
