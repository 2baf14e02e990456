import type { EventLog, IssuedEvent } from '../../events/event-log.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from '../../flows/token-status.ts';
import { left } from '../../text/duration.ts';
import type { Pieces } from '../../turns/in-turns.ts';
import { firstMatching } from '../../turns/matching.ts';
import { createMatcher, type Filter, type TokenReaders } from '../search/filter.ts';

/** The most rows of a first page, which keeps it well under 120 kB. */
export const mostRows = 100;
/** The most older rows that are loaded at once. */
export const mostOlderRows = 200;

/** A row of the token list. */
export type TokenRow = ReturnType<typeof toRow>;

/** One page of the token list. */
export interface TokenList {
  /** Newest first. */
  readonly rows: readonly TokenRow[];
  /** Where the next page starts; absent on the last one. */
  readonly before?: number;
}

/** The filter and the page of a token list. */
export interface ListQuery {
  readonly filter: Filter;
  readonly limit: number;
  /** Only tokens issued before the event with this id. */
  readonly before?: number | undefined;
  /** Only tokens issued after the event with this id. */
  readonly after?: number | undefined;
  /** Reads the flow of a token for the filter `flow:`. */
  readonly flowOf?: TokenReaders['flowOf'];
}

/** Reads the list from the log; `now` in Unix seconds. */
export function* listTokens(events: EventLog, now: number, query: ListQuery): Pieces<TokenList> {
  const { filter, limit, before, after = 0, flowOf } = query;
  const statusOf = createStatusOf(events, now);
  const matches = createMatcher(filter, { statusOf, flowOf }, now);
  // without a filter, one extra token shows whether there is a next page
  const enough = filter.terms.length === 0 ? limit + 1 : Number.POSITIVE_INFINITY;
  const newer = events.latestIssued(enough, before).filter(({ id }) => id > after);
  const found = yield* firstMatching(newer, matches, limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(event => toRow(event, statusOf(event), now)),
    ...(found.length > limit && last !== undefined ? { before: last.id } : {}),
  };
}

/** Finds a token by its raw value. */
export function* findIssued(events: EventLog, token: string): Pieces<IssuedEvent | undefined> {
  const issued = events.latestIssued(Number.POSITIVE_INFINITY);
  const [found] = yield* firstMatching(issued, event => event.token === token, 1);
  return found;
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
