import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

/** Detects two logins of one client with the same `state`. */
export const stateReused = detector('state_reused', { request: clueIn }, clues =>
  alike(clues, ({ client_id, state }) => JSON.stringify([client_id, state])).flatMap(requests => {
    const last = requests.at(-1);
    if (last === undefined || requests.every(({ login }) => login === last.login)) return [];
    const title = `\`${last.client_id}\` uses the same state for different logins`;
    return [failureIn(last.event, title, () => explain(last.state, requests.length), last.client_id)];
  }),
);

function clueIn(request: RecordedRequest) {
  const { event } = request;
  if (event.endpoint !== 'authorize' || request.fact('code.issued') === undefined) return undefined;
  const state = request.value('state');
  if (state === undefined) return undefined;
  return { event, client_id: request.value('client_id') ?? '', state, login: loginOf(request) };
}

/** Returns the values that differ between logins in a correct app. */
function loginOf(request: RecordedRequest): string {
  return JSON.stringify([request.value('nonce'), request.value('code_challenge'), request.header('cookie')]);
}

function explain(state: string, count: number) {
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
