import type { Unserved } from '../../http/unknown-path.ts';

const apis = 'Call your own API: the sample backend of the sandbox accepts these tokens at /api.';

/** Calls of Google that the sandbox does not answer. */
export const unserved: readonly Unserved[] = [
  {
    path: '/gsi',
    what: 'the scripts of Google Identity Services (One Tap, FedCM)',
    instead: 'Issue an ID token at /_sandbox/tokens and post it as `credential`, as the script does.',
  },
  {
    path: '/oauth2/v1/certs',
    what: 'keys as X.509 certificates',
    instead: 'Read the JWK Set at /oauth2/v3/certs.',
  },
  { path: '/oauth2', what: 'this version of the OAuth API', instead: 'Use /oauth2/v3/userinfo and /oauth2/v3/certs.' },
  { path: '/o/oauth2', what: 'this OAuth endpoint', instead: 'Use the endpoints of the discovery document.' },
  { path: '/v1', what: 'APIs of Google beside UserInfo', instead: apis },
  { path: '/calendar', what: 'the Calendar API', instead: apis },
  { path: '/drive', what: 'the Drive API', instead: apis },
  { path: '/gmail', what: 'the Gmail API', instead: apis },
  { path: '/admin', what: 'the Admin SDK', instead: 'The control API at /_sandbox lists and changes users.' },
  { path: '/upload', what: 'uploads to APIs of Google', instead: apis },
];
