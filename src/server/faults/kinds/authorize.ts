import { defined } from '../../../base/defined.ts';
import type { FaultKind } from '../fault.ts';
import { without } from './metadata.ts';
import { sentTwice } from './sent-twice.ts';

const authorize = { place: 'authorize', endpoints: ['authorize'], endpoint: 'authorize', parameters: {} } as const;

/** Faults of the authorization response. They do not affect the login page. */
export const authorizeFaults: readonly FaultKind[] = [
  {
    ...authorize,
    name: 'authorize_error',
    title: 'An error instead of a code',
    about: 'The redirect returns an OAuth error to the client.',
    parameters: { error: 'access_denied' },
    effect: {
      does: 'respond',
      respond: ({ state, iss }, { parameters: { error } }) => ({
        error,
        error_description: 'a fault that was armed in the sandbox',
        ...defined({ state, iss }),
      }),
    },
  },
  {
    ...authorize,
    name: 'wrong_state',
    title: 'Wrong state',
    about: 'The redirect has a state that the client did not send (CSRF, RFC 6749 §10.12).',
    effect: { does: 'respond', respond: parameters => ({ ...parameters, state: 'not-the-state-that-was-sent' }) },
  },
  {
    ...authorize,
    name: 'missing_state',
    title: 'No state',
    about: 'The redirect has no state, although the client sent one.',
    effect: { does: 'respond', respond: parameters => without(parameters, 'state') },
  },
  {
    ...authorize,
    name: 'wrong_iss',
    title: 'Wrong iss',
    about: 'The redirect has the iss of a different issuer (mix-up, RFC 9207 §2.4).',
    effect: { does: 'respond', respond: (parameters, { issuer }) => ({ ...parameters, iss: `${issuer}.other` }) },
  },
  {
    ...authorize,
    name: 'missing_iss',
    title: 'No iss',
    about: 'The redirect has no iss, although the metadata promises it (RFC 9207 §2.3).',
    effect: { does: 'respond', respond: parameters => without(parameters, 'iss') },
  },
  {
    ...authorize,
    name: 'double_redirect',
    title: 'The callback is called twice',
    about:
      'A page opens the redirect URI in a frame and, some seconds later, as the whole page. The client receives the same code twice, as after a double click, a reload or a prefetch.',
    parameters: { seconds: 1 },
    effect: { does: 'replace', replace: (location, { parameters }) => sentTwice(location, parameters.seconds) },
  },
  {
    ...authorize,
    name: 'wrong_code',
    title: 'Unknown code',
    about: 'The redirect has a code that the token endpoint does not know.',
    effect: {
      does: 'respond',
      respond: parameters =>
        'code' in parameters ? { ...parameters, code: 'a-code-that-was-never-issued' } : parameters,
    },
  },
];
