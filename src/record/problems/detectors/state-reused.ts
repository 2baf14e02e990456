import { groupInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { SilentFailure } from './detector.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** Detects two logins of one client with the same `state`. */
export const stateReused = detector('state_reused', function* ({ at }) {
  const codes = yield* firstMatching(at('authorize'), request => request.fact('code.issued') !== undefined);
  const byState = yield* groupInPieces(codes, request => {
    const state = request.value('state');
    return state === undefined ? undefined : JSON.stringify([request.value('client_id') ?? '', state]);
  });
  const failures: SilentFailure[] = [];
  for (const requests of byState.values()) {
    const logins = yield* groupInPieces(requests, loginOf);
    const last = requests.at(-1);
    if (last === undefined || logins.size < 2) continue;
    const client_id = last.value('client_id') ?? '';
    const title = `\`${client_id}\` uses the same state for different logins`;
    failures.push(failureIn(last.event, title, () => explain(last, requests.length), client_id));
  }
  return failures;
});

/** Returns the values that differ between logins in a correct app. */
function loginOf(request: RecordedRequest): string {
  return JSON.stringify([request.value('nonce'), request.value('code_challenge'), request.header('cookie')]);
}

function explain(request: RecordedRequest, count: number) {
  const state = request.value('state') ?? '';
  return {
    comparison: sideBySide(`Sent with ${count} logins`, state, 'Expected', 'a random value for each login'),
    why: 'The state binds the answer to the browser that started the login. With a fixed value, an attacker can make a browser finish a foreign login.',
    others: ['The test suite sends a fixed value on purpose.'],
    fixes: [
      'Make a new state of at least 128 random bits for each login, store it in the session, and compare it at the callback.',
    ],
    references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  };
}
