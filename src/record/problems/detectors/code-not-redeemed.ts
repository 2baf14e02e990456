import type { EventOf } from '../../../base/events/event.ts';
import type { Known } from '../known.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

/** Seconds an app may take to redeem its code. */
const patience = 20;

/** Detects a code that was issued but never sent to the token endpoint. */
export const codeNotRedeemed = detector(
  'code_not_redeemed',
  {
    request: request => (request.event.endpoint === 'token' ? request.value('code') : undefined),
    event(event) {
      if (event.type === 'code.issued') return event;
      // a login without a browser redeems its code without a token request
      return event.type === 'token.issued' ? event.parentTokenId : undefined;
    },
  },
  (clues, { hasPassed }, known) => {
    const redeemed = new Set<unknown>(clues);
    return clues.flatMap(code => {
      if (typeof code === 'string' || redeemed.has(code.token) || redeemed.has(code.tokenId)) return [];
      if (!hasPassed(code, patience)) return [];
      const title = `\`${code.client_id}\` got a code and never redeemed it`;
      return [failureIn(code, title, () => explain(code, known.events), code.client_id)];
    });
  },
);

function explain(code: EventOf<'code.issued'>, events: Known['events']) {
  const { redirect_uri } = code;
  const silence = Math.round(events.wall() - events.wallOf(code));
  const { origin: named } = new URL(redirect_uri);
  const origin = named === 'null' ? redirect_uri : named; // a private scheme has no origin
  const twin = origin.includes('localhost') ? origin.replace('localhost', '127.0.0.1') : undefined;
  return {
    comparison: sideBySide('The browser was sent to', redirect_uri, 'Expected next', 'POST to the token endpoint'),
    why: `${silence} s ago the browser was sent back to ${redirect_uri} with a code, and no request for a token followed. The page at that address did not run, or its script failed before the token request.`,
    others: [
      'oidc-client-ts reports "No matching state found in storage": the login started on one origin and came back to a different one, or the storage was cleared, or the callback ran twice.',
      ...(twin === undefined ? [] : [`The app was opened at ${twin}. ${origin} and ${twin} have separate storage.`]),
      'No server listens at that address, or its route is missing. The browser shows an error page then.',
      'A back end redeems the code, but it cannot reach this server under the configured name.',
    ],
    fixes: [
      'Open the browser console on the callback page and look for the error.',
      `Open the app at ${origin}, the origin of its redirect_uri.`,
    ],
    references: ['RFC 6749 §4.1.2', 'RFC 6749 §4.1.3'],
  };
}
