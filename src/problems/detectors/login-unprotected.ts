import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { flatMapInPieces, groupInPieces } from '../../turns/lists.ts';
import { firstMatching } from '../../turns/matching.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const protections = ['state', 'nonce', 'code_challenge'] as const;

/** A login that nothing ties to the browser it was begun in. */
export const loginUnprotected = detector('login_unprotected', function* ({ at }) {
  const bare = yield* firstMatching(at('authorize'), isUnprotected);
  const byClient = yield* groupInPieces(bare, request => request.value('client_id'));
  return yield* flatMapInPieces(byClient.values(), requests => {
    const last = requests.at(-1);
    if (last === undefined) return [];
    const client_id = last.value('client_id') ?? '';
    const title = `${client_id} logs in without state, nonce or PKCE`;
    return [failureIn(last.event, title, () => explain(last), client_id)];
  });
});

/** What was pushed or signed is checked where it came in. */
function isUnprotected(request: RecordedRequest): boolean {
  return (
    request.fact('code.issued') !== undefined &&
    request.value('request_uri') === undefined &&
    request.value('request') === undefined &&
    protections.every(name => request.value(name) === undefined)
  );
}

function explain(request: RecordedRequest) {
  const sent = [...new Set([...request.query.keys(), ...request.form.keys()])].join(', ');
  return {
    comparison: sideBySide('Your app sent', sent, 'Expected, too', 'code_challenge, or state, or nonce'),
    why: 'The answer to this login cannot be told from one that somebody else began: an attacker can hand the browser a code of their own (cross-site request forgery).',
    others: ['It is a script that has no browser to protect.'],
    fixes: [
      'Switch on PKCE in the library; it protects the code and the login.',
      'Or send state, and compare it at the callback.',
    ],
    references: ['RFC 9700 §2.1', 'RFC 9700 §4.7', 'RFC 7636 §4.3'],
  };
}
