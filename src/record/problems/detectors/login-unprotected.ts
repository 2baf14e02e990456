import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const protections = ['state', 'nonce', 'code_challenge'] as const;

/** Detects a login without state, nonce or PKCE, which nothing binds to its browser. */
export const loginUnprotected = detector(
  'login_unprotected',
  {
    request: request => (isUnprotected(request) ? { request, client_id: request.value('client_id') ?? '' } : undefined),
  },
  clues =>
    alike(clues, ({ client_id }) => client_id).flatMap(logins =>
      logins.slice(-1).map(({ request, client_id }) => {
        const title = `\`${client_id}\` logs in without state, nonce or PKCE`;
        return failureIn(request.event, title, () => explain(request), client_id);
      }),
    ),
);

/** Pushed and signed requests are left out: their own endpoints check them. */
function isUnprotected(request: RecordedRequest): boolean {
  return (
    request.event.endpoint === 'authorize' &&
    request.fact('code.issued') !== undefined &&
    request.value('request_uri') === undefined &&
    request.value('request') === undefined &&
    protections.every(name => request.value(name) === undefined)
  );
}

function explain(request: RecordedRequest) {
  const sent = [...new Set([...request.query.keys(), ...request.form.keys()])].join(', ');
  return {
    comparison: sideBySide('Your app sent', sent, 'Also expected', 'code_challenge, state or nonce'),
    why: 'Nothing binds the answer to the browser that started the login, so an attacker can inject a foreign code (cross-site request forgery).',
    others: ['The client is a script without a browser.'],
    fixes: [
      'Switch on PKCE in the library. PKCE protects the code and the login.',
      'Or send state, and compare it at the callback.',
    ],
    references: ['RFC 9700 §2.1', 'RFC 9700 §4.7', 'RFC 7636 §4.3'],
  };
}
