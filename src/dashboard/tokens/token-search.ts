import type { IssuedEvent } from '../../base/events/event-log.ts';
import { createMatcher as createMatcherOf, parseQuery, type Query, type Searchable } from '../../base/events/search.ts';
import { type TokenStatus, tokenStatuses, tokenTypeOf } from '../../record/flows/token-status.ts';
import { claimValues } from '../claims/claim-values.ts';

export type { Query as Filter } from '../../base/events/search.ts';

const types = ['access', 'id', 'refresh', 'code'] as const;

/** Readers of facts outside the event. The status of a token is computed for each response. */
interface TokenReaders {
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
  /** The id of the flow it was issued in. */
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
