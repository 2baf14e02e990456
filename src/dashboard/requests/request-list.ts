import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { cut } from '../../base/text/words.ts';
import { firstMatching } from '../../base/turns.ts';
import { bodyContents, contentsOf, headerContents } from '../../record/flows/contents.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { flowKindWords } from '../../record/flows/flow-words.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { isOrdinary } from '../../record/problems/ordinary.ts';
import type { Desk } from '../desk.ts';
import { outcomeOf } from '../flows/flow-words.ts';
import { momentOf } from '../moment.ts';
import { readableScopes } from '../scope-words.ts';
import { filterBox, pageLinks, withValue } from '../search/filter-box.ts';
import { createFactsOf, type RequestFacts } from './request-facts.ts';

/** The most rows of a first page, so that it stays under 120 kB. */
const mostRows = 80;

interface RequestsQuery {
  readonly query: string;
  /** Only requests that ended before this event. */
  readonly before?: number | undefined;
  /** Only requests that ended after this event. */
  readonly after?: number | undefined;
}

export function* listRequests(desk: Desk, { query, before, after = 0 }: RequestsQuery) {
  const { events, clock } = desk;
  const factsOf = createFactsOf(desk);
  const list = requestSearch(factsOf);
  const parsed = parseQuery(query, list.fields);
  const matches = createMatcher(parsed, list, clock());
  // without a filter, one extra row shows whether there is a next page
  const enough = parsed.terms.length === 0 && after === 0 ? mostRows + 1 : Number.POSITIVE_INFINITY;
  const newer = events.latest('request.completed', enough, before).filter(({ id }) => id > after);
  // a reader of the newest rows learns how many there are
  const found = yield* firstMatching(newer, matches, after === 0 ? mostRows + 1 : undefined);
  const shown = found.slice(0, mostRows);
  return {
    // newest first
    rows: rowsOf(desk, shown, factsOf, query),
    // where the next page starts; undefined on the last one
    before: found.length > mostRows ? shown.at(-1)?.id : undefined,
    count: found.length,
    parsed,
    list,
  };
}

/** The page of the list. */
export function* requestsPage(desk: Desk, asked: RequestsQuery) {
  const { events } = desk;
  const { rows, before, parsed, list } = yield* listRequests(desk, asked);
  const action = `${desk.base}/dashboard/requests`;
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
    ...pageLinks(action, asked, before),
    // the number of requests that the history has dropped
    forgotten: events.count('request.completed') - events.kept('request.completed'),
  };
}

const longestPath = 60;
const longestName = 40;
/** A shorter form, because a page may have a group for each of its rows. */
const longestInGroup = 24;

/** Rows in their order. Above each run of requests of one flow is the flow. */
function rowsOf(desk: Desk, shown: readonly Completed[], factsOf: (event: Completed) => RequestFacts, query: string) {
  const linkOf: LinkOf = (name, value) => withValue('', query, name, value);
  let above: string | undefined;
  return shown.map(event => {
    const facts = factsOf(event);
    const isFirst = facts.flow !== undefined && facts.flow.id !== above;
    above = facts.flow?.id;
    return {
      ...toRow(event, facts, { now: desk.clock(), linkOf }),
      ...(isFirst ? { group: groupOf(facts.flow, desk) } : {}),
    };
  });
}

/** `Login with a code`, with the user, the outcome, the granted scopes and, for a failed flow, the reason. */
function groupOf(flow: Flow | undefined, { events }: Desk) {
  if (flow === undefined) return undefined;
  const { id, kind, client_id = '', sub = '', steps, status, tokenIds } = flow;
  const issued = tokenIds.map(tokenId => events.issued(tokenId)).find(each => each?.scope !== undefined);
  const refusal = steps.findLast(step => step.refusal !== undefined)?.refusal;
  return {
    id,
    kind: flowKindWords[kind],
    who: [sub, client_id]
      .filter(name => name !== '')
      .map(name => cut(name, longestInGroup))
      .join(' in '),
    outcome: outcomeOf(flow),
    scopes: readableScopes(issued?.scope, longestInGroup),
    error: status === 'failed' ? (refusal?.error ?? '') : '',
  };
}

type LinkOf = (name: string, value: string | undefined) => string | undefined;

function toRow(event: Completed, facts: RequestFacts, { now, linkOf }: { now: number; linkOf: LinkOf }) {
  return {
    // of the event, for paging
    eventId: event.id,
    requestId: event.requestId,
    at: momentOf(event.at, now),
    method: event.method,
    path: cut(event.path, longestPath),
    endpoint: event.endpoint,
    client_id: cut(facts.client_id ?? '', longestName),
    sub: cut(facts.sub ?? '', longestName),
    links: {
      endpoint: linkOf('endpoint', event.endpoint),
      client: linkOf('client', facts.client_id),
      user: linkOf('user', facts.sub),
      status: linkOf('status', String(event.status)),
      error: linkOf('code', facts.refusal?.error),
    },
    actor: facts.replayOf === undefined ? facts.actor : 'replay',
    status: event.status,
    milliseconds: event.milliseconds.toFixed(event.milliseconds < 10 ? 1 : 0),
    // the code of the refusal; empty for none
    error: facts.refusal?.error ?? '',
    // how the code looks: a normal part of a flow is no problem of the app, and neither is a fault
    errorLook: lookOf(event, facts),
    // the injected fault; empty for none
    faults: event.faults?.join(', ') ?? '',
  };
}

/** The class of the badge of a refusal; empty for a normal part of a flow. */
function lookOf({ faults }: Completed, { refusal }: RequestFacts): string {
  if (refusal === undefined || isOrdinary(refusal)) return '';
  return faults === undefined ? ' err' : ' warn';
}

/** The search operators of the list of requests. */
function requestSearch(factsOf: (event: Completed) => RequestFacts): Searchable<Completed> {
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
      is: { values: ['replay'], slow: true, of: event => (factsOf(event).replayOf === undefined ? [] : ['replay']) },
    },
    words: event => [event.requestId, event.endpoint, event.path, ...textsOf(factsOf(event))],
    exact: event => [...factsOf(event).tokens().keys()],
    contents: ({ exchange }) => contentsOf(exchange),
    at: event => event.at,
  };
}

/** The error code on the wire, and the reason of the refusal. */
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

function textsOf({ client_id, sub, refusal, tokenIds, flow }: RequestFacts): (string | undefined)[] {
  return [client_id, sub, refusal?.error, refusal?.reason, refusal?.description, flow?.id, ...tokenIds];
}
