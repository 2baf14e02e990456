import type { IssuedEvent } from '../../events/event-log.ts';
import { createMatcher as createMatcherOf } from '../../events/search/match.ts';
import type { Query } from '../../events/search/query.ts';
import { type TokenReaders, tokenSearch } from './filter.ts';

/** Whether a token is what the filter asks for; `now` in Unix seconds. */
export function createMatcher(filter: Query, readers: TokenReaders, now: number): (event: IssuedEvent) => boolean {
  return createMatcherOf(filter, tokenSearch(readers), now);
}
