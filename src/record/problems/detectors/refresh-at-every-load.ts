import type { EventOf } from '../../../base/events/event.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const most = 4;
const window = 300;
/** The part of the lifetime that was left. */
const muchLeft = 0.8;

/** Detects tokens that are refreshed long before they expire. */
export const refreshAtEveryLoad = detector(
  'refresh_at_every_load',
  {
    event: event =>
      event.type === 'token.issued' && event.tokenType === 'access' && event.sub !== undefined ? event : undefined,
  },
  (tokens, { between }) =>
    alike(tokens, ({ authorizationId }) => authorizationId).flatMap(family => {
      const early = family.filter((token, index) => isEarly(family[index - 1], token));
      const last = early.at(-1);
      const first = early.at(-most);
      if (last === undefined || first === undefined || between(first, last) > window) return [];
      const title = `\`${last.client_id}\` refreshes tokens too early`;
      return [failureIn(last, title, () => explain(early.length, last), last.client_id)];
    }),
);

function isEarly(before: EventOf<'token.issued'> | undefined, { at, parentTokenId }: EventOf<'token.issued'>): boolean {
  return (
    before !== undefined &&
    parentTokenId !== undefined &&
    before.parentTokenId !== parentTokenId &&
    before.exp - at > muchLeft * (before.exp - before.iat)
  );
}

function explain(count: number, { exp, iat, client_id }: EventOf<'token.issued'>) {
  return {
    comparison: sideBySide('Refreshed early', `${count} times`, 'Lifetime of a token', `${exp - iat} s`),
    why: `\`${client_id}\` refreshed ${count} times while more than four fifths of the lifetime were left. An app that keeps its token in memory refreshes at every page load.`,
    others: ['A timer confuses milliseconds and seconds.', 'Several tabs refresh separately.'],
    fixes: [
      'Ignore this if the app keeps tokens only in memory, which is good practice. A back end for the front end avoids the refreshes.',
      'Refresh shortly before expires_in is over, not on each start or call.',
    ],
    references: ['RFC 9700 §4.14'],
  };
}
