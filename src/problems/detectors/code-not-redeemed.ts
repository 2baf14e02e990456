import type { EventOf } from '../../events/event.ts';
import { firstMatching } from '../../turns/matching.ts';
import type { Known } from '../known.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** Seconds an app may take to redeem its code. */
const patience = 20;

/** A code was issued, and nobody came to the token endpoint with it. */
export const codeNotRedeemed = detector('code_not_redeemed', function* ({ since, codes, tokens, at }, known) {
  const redeemed = new Set<string | undefined>();
  for (const request of at('token')) {
    redeemed.add(request.value('code'));
    yield;
  }
  // by a login without a browser, which has no request of its own for that
  const parents = new Set(tokens.map(({ parentTokenId }) => parentTokenId));
  const isWaiting = (code: EventOf<'code.issued'>) =>
    since(code) > patience && !redeemed.has(code.token) && !parents.has(code.tokenId);
  const waiting = yield* firstMatching(codes, isWaiting);
  return waiting.map(code => {
    const title = `${code.client_id} got a code and never redeemed it`;
    return failureIn(code, title, () => explain(code, known.events), code.client_id);
  });
});

function explain(code: EventOf<'code.issued'>, events: Known['events']) {
  const { redirect_uri } = code;
  const silence = Math.round(events.wall() - events.wallOf(code));
  const { origin: named } = new URL(redirect_uri);
  const origin = named === 'null' ? redirect_uri : named; // a scheme of its own has no origin
  const twin = origin.includes('localhost') ? origin.replace('localhost', '127.0.0.1') : undefined;
  return {
    comparison: sideBySide('The browser was sent to', redirect_uri, 'Expected next', 'POST to the token endpoint'),
    why: `${silence} s ago the browser was sent back to ${redirect_uri} with a code, and no request for a token followed. The page at that address did not run, or its script threw before it asked.`,
    others: [
      'oidc-client-ts says "No matching state found in storage": the login began on one origin and came back on another, or the storage was cleared, or the callback ran twice.',
      ...(twin === undefined ? [] : [`The app was opened at ${twin}: storage of ${origin} and of ${twin} are two.`]),
      'Nothing listens at that address, or its route is missing: the browser shows an error of its own.',
      'A back end redeems the code, and cannot reach this server under the name it was given.',
    ],
    fixes: [
      'Open the console of the browser at the callback page and look for the error.',
      `Open the app at ${origin}, the very origin of its redirect_uri.`,
    ],
    references: ['RFC 6749 §4.1.2', 'RFC 6749 §4.1.3'],
  };
}
