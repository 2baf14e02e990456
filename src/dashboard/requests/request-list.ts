import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { firstMatching } from '../../base/turns.ts';
import { bodyContents, contentsOf, headerContents } from '../../record/flows/contents.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { filterBox, listAddress, pageLinks } from '../filter-box.ts';
import type { PageContext } from '../page.ts';
import { troubleOf } from '../status-badge.ts';
import { createFactsOf, type RequestFacts } from './request-facts.ts';
import { rowsOf } from './request-row.ts';

/** The most rows of a first page, so that it stays under 120 kB. */
const mostRows = 80;

interface RequestsQuery {
  readonly query: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

export function* listRequests(context: PageContext, { query, before, after = 0 }: RequestsQuery) {
  const { events, clock } = context;
  const factsOf = createFactsOf(context);
  const list = requestSearch(context, factsOf);
  const parsed = parseQuery(query, list.fields);
  const matches = createMatcher(parsed, list, clock());
  // without a filter, one extra row shows whether there is a next page
  const enough = parsed.terms.length === 0 && after === 0 ? mostRows + 1 : Number.POSITIVE_INFINITY;
  const newer = events.latest('request.completed', enough, before).filter(({ id }) => id > after);
  // a reader of the newest rows learns how many there are
  const found = yield* firstMatching(newer, matches, after === 0 ? mostRows + 1 : undefined);
  const shown = found.slice(0, mostRows);
  return {
    rows: rowsOf(context, shown, factsOf),
    // where the next page starts; undefined on the last one
    before: found.length > mostRows ? shown.at(-1)?.id : undefined,
    ...(after === 0 ? {} : { count: found.length }),
    parsed,
    list,
  };
}

/** The rows for a page that is there already. */
export function* newRequests(
  context: PageContext,
  query: string,
  after: number | undefined,
  since: number | undefined,
) {
  const list = yield* listRequests(context, { query, after });
  return after === undefined && since !== undefined
    ? { ...list, count: yield* countSince(context, query, since) }
    : list;
}

function* countSince(context: PageContext, query: string, since: number) {
  const { events, clock } = context;
  const list = requestSearch(context, createFactsOf(context));
  const newer = events.latest('request.completed', Number.POSITIVE_INFINITY).filter(({ id }) => id > since);
  return (yield* firstMatching(newer, createMatcher(parseQuery(query, list.fields), list, clock()))).length;
}

/** The choices above the list. */
const quickViews: readonly (readonly [name: string, query: string])[] = [
  ['All', ''],
  ['Refused', 'is:refused'],
  ['Faults', 'is:fault'],
];

/** The page of the list. */
export function* requestsPage(context: PageContext, asked: RequestsQuery) {
  const { events } = context;
  const { rows, before, parsed, list } = yield* listRequests(context, asked);
  const action = `${context.base}/dashboard/requests`;
  return {
    filter: filterBox({
      action,
      query: asked.query,
      parsed,
      placeholder: 'endpoint:token client:frontend status:4xx age:<5m',
      list,
      items: events.latest('request.completed', 300),
    }),
    rows,
    views: quickViews.map(([name, query]) => ({ name, href: listAddress(action, query), isOn: query === asked.query })),
    kept: events.kept('request.completed'),
    ...pageLinks(action, asked, before),
    forgotten: events.count('request.completed') - events.kept('request.completed'),
  };
}

function requestSearch(context: PageContext, factsOf: (event: Completed) => RequestFacts): Searchable<Completed> {
  return {
    fields: {
      endpoint: { suggested: true, of: event => event.endpoint },
      client: { suggested: true, slow: true, of: event => factsOf(event).client_id },
      user: { suggested: true, slow: true, of: event => factsOf(event).sub },
      status: { suggested: true, of: ({ status }) => [status, `${Math.floor(status / 100)}xx`] },
      method: { suggested: true, of: event => event.method },
      path: { of: event => event.path },
      ip: { suggested: true, of: event => event.exchange.ip },
      code: { suggested: true, slow: true, of: event => codesOf(factsOf(event)) },
      flow: { slow: true, of: event => factsOf(event).flow?.id },
      actor: { values: ['browser', 'client', 'api', 'tool', 'unknown'], slow: true, of: event => factsOf(event).actor },
      ms: { of: event => event.milliseconds },
      grant: { suggested: true, slow: true, of: event => factsOf(event).grant_type },
      header: { path: true, slow: true, within: ({ exchange }, path) => headerContents(exchange, path.join('.')) },
      body: { slow: true, within: ({ exchange }) => bodyContents(exchange) },
      has: { values: ['problem', 'token', 'flow'], slow: true, of: event => partsOf(factsOf(event)) },
      is: { values: ['refused', 'fault', 'replay'], slow: true, of: event => signsOf(context, event, factsOf(event)) },
    },
    words: event => [event.requestId, event.endpoint, event.path, ...textsOf(factsOf(event))],
    exact: event => [...factsOf(event).tokens().keys()],
    contents: ({ exchange }) => contentsOf(exchange),
    at: event => event.at,
  };
}

function codesOf({ refusal }: RequestFacts): string[] {
  return refusal === undefined ? [] : [refusal.error, refusal.reason];
}

function partsOf({ refusal, tokenIds, flow }: RequestFacts): string[] {
  return [
    ...(refusal === undefined ? [] : ['problem']),
    ...(tokenIds.length === 0 ? [] : ['token']),
    ...(flow === undefined ? [] : ['flow']),
  ];
}

function signsOf(context: PageContext, event: Completed, { refused, replayOf }: RequestFacts): string[] {
  const signs = { own: ['fault'], normal: [], refused: ['refused'] };
  const trouble = troubleOf(context, event, refused);
  return [...(trouble === undefined ? [] : signs[trouble]), ...(replayOf === undefined ? [] : ['replay'])];
}

function textsOf({ client_id, sub, refusal, tokenIds, flow }: RequestFacts): (string | undefined)[] {
  return [client_id, sub, refusal?.error, refusal?.reason, refusal?.description, flow?.id, ...tokenIds];
}
