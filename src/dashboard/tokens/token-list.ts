import type { IssuedEvent } from '../../base/events/event-log.ts';
import { createMatcher as createMatcherOf, parseQuery, type Query, type Searchable } from '../../base/events/search.ts';
import { left } from '../../base/text/duration.ts';
import { firstMatching } from '../../base/turns.ts';
import { createStatusOf, type TokenStatus, tokenStatuses, tokenTypeOf } from '../../record/flows/token-status.ts';
import { claimValues, rolesOf } from '../claims/claim-values.ts';
import type { PageContext } from '../page.ts';

/** The most rows of a first page, which keeps it well under 120 kB. */
const mostRows = 100;
/** The most older rows that are loaded at once. */
export const mostOlderRows = 200;

interface Asked {
  readonly filter: Query;
  readonly limit?: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Reads the list from the log. */
export function* listTokens(
  {
    events,
    flows,
    clock,
  }: Pick<PageContext, 'events' | 'clock'> & { readonly flows: Pick<PageContext['flows'], 'ofToken'> },
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
    rows: shown.map(event => toRow(event, statusOf(event), now)),
    // where the next page starts; undefined on the last one
    before: found.length > limit ? shown.at(-1)?.id : undefined,
  };
}

/** One row of the token list; `now` in Unix seconds. */
export function toRow(event: IssuedEvent, status: TokenStatus, now: number) {
  const secondsLeft = status === 'valid' ? Math.max(0, event.exp - now) : 0;
  return {
    eventId: event.id,
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    // empty if the client acts for itself
    sub: event.sub ?? '',
    client_id: event.client_id,
    scope: event.scope ?? '',
    // what an API decides by; empty for codes and refresh tokens
    roles: rolesOf(event).join(', '),
    aud: claimValues(event, ['aud'])
      .filter(value => typeof value === 'string')
      .join(', '),
    exp: event.exp,
    lifetime: Math.max(1, event.exp - event.iat),
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

const types = ['access', 'id', 'refresh', 'code'] as const;

interface TokenReaders {
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
  readonly flowOf?: (event: IssuedEvent) => string | undefined;
}

/** The search operators of the list of tokens. */
export function tokenSearch({ statusOf, flowOf = () => undefined }: TokenReaders): Searchable<IssuedEvent> {
  return {
    fields: {
      type: { values: types, of: tokenTypeOf },
      user: { suggested: true, of: event => event.sub },
      client: { suggested: true, of: event => event.client_id },
      scope: { suggested: true, of: event => event.scope?.split(' ') },
      status: { values: tokenStatuses, of: statusOf },
      grant: { suggested: true, of: event => (event.type === 'token.issued' ? event.grant_type : undefined) },
      aud: { slow: true, of: event => claimValues(event, ['aud']) },
      kid: { suggested: true, of: event => (event.type === 'code.issued' ? undefined : event.kid) },
      alg: { suggested: true, of: event => (event.type === 'code.issued' ? undefined : event.alg) },
      claim: { path: true, slow: true, of: claimValues },
      flow: { slow: true, of: flowOf },
    },
    words: event => [
      event.tokenId,
      tokenTypeOf(event),
      event.sub,
      event.client_id,
      event.scope,
      statusOf(event),
      event.requestId,
      event.type === 'token.issued' ? event.grant_type : undefined,
    ],
    exact: event => [event.token],
    at: event => event.at,
  };
}

/** Reads a query of the list of tokens. */
export function parseFilter(query: string): Query {
  return parseQuery(query, tokenSearch({ statusOf: () => 'valid' }).fields);
}

/** Whether a token matches the filter; `now` in Unix seconds. */
export function createMatcher(filter: Query, readers: TokenReaders, now: number): (event: IssuedEvent) => boolean {
  return createMatcherOf(filter, tokenSearch(readers), now);
}
