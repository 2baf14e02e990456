import type { IssuedEvent } from '../../base/events/event-log.ts';
import { left } from '../../base/text/duration.ts';
import { firstMatching } from '../../base/turns.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { Desk } from '../desk.ts';
import { createMatcher, type Filter } from './token-search.ts';

/** The most rows of a first page, which keeps it well under 120 kB. */
const mostRows = 100;
/** The most older rows that are loaded at once. */
export const mostOlderRows = 200;

interface Asked {
  readonly filter: Filter;
  readonly limit?: number;
  /** Only tokens issued before the event with this id. */
  readonly before?: number | undefined;
  /** Only tokens issued after the event with this id. */
  readonly after?: number | undefined;
}

/** Reads the list from the log. */
export function* listTokens(
  { events, flows, clock }: Pick<Desk, 'events' | 'clock'> & { readonly flows: Pick<Desk['flows'], 'ofToken'> },
  { filter, limit = mostRows, before, after = 0 }: Asked,
) {
  const now = clock();
  const statusOf = createStatusOf(events, now);
  const matches = createMatcher(filter, { statusOf, flowOf: ({ tokenId }) => flows.ofToken(tokenId)?.id }, now);
  // without a filter, one extra token shows whether there is a next page
  const enough = filter.terms.length === 0 ? limit + 1 : Number.POSITIVE_INFINITY;
  const newer = events.latestIssued(enough, before).filter(({ id }) => id > after);
  const found = yield* firstMatching(newer, matches, limit + 1);
  const shown = found.slice(0, limit);
  return {
    // newest first
    rows: shown.map(event => toRow(event, statusOf(event), now)),
    // where the next page starts; undefined on the last one
    before: found.length > limit ? shown.at(-1)?.id : undefined,
  };
}

/** One row of the token list; `now` in Unix seconds. */
export function toRow(event: IssuedEvent, status: TokenStatus, now: number) {
  const secondsLeft = status === 'valid' ? Math.max(0, event.exp - now) : 0;
  return {
    // event id, for paging
    eventId: event.id,
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    // empty if the client acts for itself
    sub: event.sub ?? '',
    client_id: event.client_id,
    scope: event.scope ?? '',
    exp: event.exp,
    // seconds from issue to expiry
    lifetime: Math.max(1, event.exp - event.iat),
    // seconds left; 0 if the token is no longer valid
    left: Math.floor(secondsLeft),
    status,
    mark: markOf(event),
    // text of the status cell: `4 min left`, `replaced`
    words: status === 'valid' ? left(secondsLeft) : status,
  };
}

/** `minted`, `minted: expired`, `fault: expired`; empty for a normal token from a grant. */
export function markOf(event: IssuedEvent): string {
  if (event.type === 'code.issued') return '';
  const { minted, defect } = event;
  if (!minted) return defect === undefined ? '' : `fault: ${defect}`;
  return defect === undefined ? 'minted' : `minted: ${defect}`;
}
