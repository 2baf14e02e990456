import type { EventOf } from '../../events/event.ts';
import { flatMapInPieces, groupInPieces } from '../../turns/lists.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const most = 4;
const window = 300;
/** Of the lifetime of the token that was still good. */
const muchLeft = 0.8;

/** Tokens are refreshed long before they end, one after the other. */
export const refreshAtEveryLoad = detector('refresh_at_every_load', function* ({ tokens, since }) {
  const families = yield* groupInPieces(
    tokens.filter(({ tokenType, sub }) => tokenType === 'access' && sub !== undefined),
    ({ authorizationId }) => authorizationId,
  );
  return yield* flatMapInPieces(families.values(), family => {
    const early = family.filter((token, index) => isEarly(family[index - 1], token));
    const last = early.at(-1);
    const first = early.at(-most);
    if (last === undefined || first === undefined || since(first) - since(last) > window) return [];
    const title = `${last.client_id} refreshes tokens that are still good`;
    return [failureIn(last, title, () => explain(early.length, last), last.client_id)];
  });
});

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
    comparison: sideBySide('Refreshed early', `${count} times`, 'A token is good for', `${exp - iat} s`),
    why: `${client_id} asked ${count} times for fresh tokens while more than four fifths of the old one's life were left: as an app does that refreshes at every page load, because its token is only in memory.`,
    others: [
      'A timer is set with milliseconds where seconds were meant, or the other way round.',
      'Several tabs refresh each for themselves.',
    ],
    fixes: [
      'It is fine for an app that keeps tokens in memory only, as it should. A back end for the front end spares it.',
      'Refresh shortly before expires_in is over, not at each start or call.',
    ],
    references: ['RFC 9700 §4.14'],
  };
}
