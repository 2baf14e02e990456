import type { EventOf } from '../../../base/events/event.ts';
import { purposeOf } from '../on-purpose.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const most = 3;
const expired: ReadonlySet<string> = new Set(['api_token_expired', 'api_token_ended', 'token_expired']);

/** Detects an expired access token that the app sends again and again. */
export const expiredTokenRepeated = detector(
  'expired_token_repeated',
  {
    event(event, known) {
      if (event.type !== 'error.returned' || event.about === undefined || !expired.has(event.reason)) return undefined;
      return purposeOf(known, { error: event }) === undefined ? { error: event, about: event.about } : undefined;
    },
  },
  clues =>
    alike(clues, ({ about }) => about).flatMap(all => {
      const last = all[most - 1] === undefined ? undefined : all.at(-1)?.error;
      if (last === undefined) return [];
      const title = `${last.client_id === undefined ? 'A client' : `\`${last.client_id}\``} keeps sending an expired token`;
      return [failureIn(last, title, () => explain(all.length, last), last.client_id)];
    }),
);

function explain(count: number, { expected = '', sent = '' }: EventOf<'error.returned'>) {
  return {
    comparison: sideBySide(`Sent ${count} times`, sent, 'Expected', expected === '' ? 'a new token' : expected),
    why: `The app sent the same access token ${count} times after it expired. The app does not handle a 401, or does not know the lifetime of its token.`,
    others: [
      'Several calls were in progress when the token expired.',
      'The app holds an old token in a closure or a cache.',
    ],
    fixes: [
      'Refresh the token before expires_in is over, and when the API answers 401 invalid_token.',
      'Request the scope offline_access if the client needs a refresh token.',
    ],
    references: ['RFC 6750 §3.1', 'RFC 6749 §1.5'],
  };
}
