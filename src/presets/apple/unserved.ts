import type { Unserved } from '../../http/unknown-path.ts';

/** Calls of Apple that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  { path: '/auth', what: 'this endpoint', instead: 'Use /auth/authorize, /auth/token, /auth/keys and /auth/revoke.' },
  {
    path: '/appleauth',
    what: 'the scripts and pages of Sign in with Apple JS',
    instead: 'Send the browser to /auth/authorize, which the script opens as well.',
  },
];
