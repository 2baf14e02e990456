import type { SandboxEvent } from '../../../base/events/event.ts';
import { createMatcher, parseQuery } from '../../../base/events/search.ts';
import { nearestName } from '../../../base/text/nearest.ts';
import { coreEventTypes } from '../../../record/words/event-words.ts';
import { refusedInput } from '../refusal.ts';
import { eventSearch } from './event-search.ts';

/** Selection of events. */
export interface EventFilter {
  /** In the grammar of the dashboard: `client:frontend status:4xx -code:pkce_mismatch`. */
  readonly q?: string | undefined;
  /** One type or several, with commas between. */
  readonly type?: string | undefined;
}

/**
 * A test for wanted events; `now` in Unix seconds. Page views of the dashboard are left out, unless `type` is
 * `page.served`. `known` are the types that there are.
 * @throws invalid_request for an unreadable query or an unknown type, because a typo must not make a test pass
 */
export function eventFilter(
  { q = '', type }: EventFilter,
  now: number,
  known = coreEventTypes,
): (event: SandboxEvent) => boolean {
  const query = parseQuery(q, eventSearch.fields);
  const { problems } = query;
  if (problems.length > 0) throw refusedInput(problems.map(expected => ({ member: 'q', sent: q, expected })));
  const isIt = createMatcher(query, eventSearch, now);
  const types = type === undefined ? undefined : typesIn(type, known);
  const asksForPages = query.terms.some(({ field, value }) => field === 'type' && value === 'page.served');
  return event => {
    if (types === undefined ? event.type === 'page.served' && !asksForPages : !types.includes(event.type)) return false;
    return isIt(event);
  };
}

function typesIn(text: string, known: readonly string[]): readonly string[] {
  const types = text.split(',').map(each => each.trim());
  const unknown = types.filter(each => !known.includes(each));
  if (unknown.length === 0) return types;
  throw refusedInput(
    unknown.map(sent => {
      const nearest = nearestName(sent, known);
      const hint = nearest === undefined ? {} : { nearest };
      return { member: 'type', sent, expected: 'types of events, such as token.issued', ...hint };
    }),
  );
}
