import type { Unserved } from '../../http/unknown-path.ts';

/** Paths of the hosted UI that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  {
    path: '/signup',
    what: 'the sign-up page',
    instead: 'Type a new name on the login page, or call SignUp of the user pool API.',
  },
  {
    path: '/forgotPassword',
    what: 'the page for a forgotten password',
    instead: 'Call ForgotPassword of the user pool API.',
  },
  {
    path: '/oauth2/idpresponse',
    what: 'identity providers behind the pool',
    instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
  },
  {
    path: '/saml2',
    what: 'SAML',
    instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
  },
];
