import { isIssued, usedToken } from '../../base/events/event-memory.ts';
import { headerOf } from '../../base/events/exchange.ts';
import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { cut } from '../../base/text/words.ts';
import { firstMatching } from '../../base/turns.ts';
import { bodyContents, contentsOf, headerContents } from '../../record/flows/contents.ts';
import { type Actor, type Flow, flowKindWords } from '../../record/flows/flow.ts';
import { stateOf } from '../../record/flows/flow-state.ts';
import { callerOf } from '../../record/flows/hosts.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { isOrdinary } from '../../record/problems/on-purpose.ts';
import { filterBox, pageLinks, withValue } from '../filter-box.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { readableScopes } from '../scope-words.ts';

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
    rows: rowsOf(context, shown, factsOf, query),
    // where the next page starts; undefined on the last one
    before: found.length > mostRows ? shown.at(-1)?.id : undefined,
    count: found.length,
    parsed,
    list,
  };
}

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
    ...pageLinks(action, asked, before),
    forgotten: events.count('request.completed') - events.kept('request.completed'),
  };
}

const longestPath = 60;
const longestName = 40;
/** A shorter form, because a page may have a group for each of its rows. */
const longestInGroup = 24;

function rowsOf(
  context: PageContext,
  shown: readonly Completed[],
  factsOf: (event: Completed) => RequestFacts,
  query: string,
) {
  const linkOf: LinkOf = (name, value) => withValue('', query, name, value);
  let above: string | undefined;
  return shown.map(event => {
    const facts = factsOf(event);
    const isFirst = facts.flow !== undefined && facts.flow.id !== above;
    above = facts.flow?.id;
    return {
      ...toRow(event, facts, { now: context.clock(), linkOf }),
      ...(isFirst ? { group: groupOf(facts.flow, context) } : {}),
    };
  });
}

function groupOf(flow: Flow | undefined, { events }: PageContext) {
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
    state: stateOf(flow),
    scopes: readableScopes(issued?.scope, longestInGroup),
    error: status === 'failed' ? (refusal?.error ?? '') : '',
  };
}

type LinkOf = (name: string, value: string | undefined) => string | undefined;

function toRow(event: Completed, facts: RequestFacts, { now, linkOf }: { now: number; linkOf: LinkOf }) {
  return {
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
    error: facts.refusal?.error ?? '',
    // how the code looks: a normal part of a flow is no problem of the app, and neither is a fault
    errorLook: lookOf(event, facts),
    faults: event.faults?.join(', ') ?? '',
  };
}

function lookOf({ faults }: Completed, { refusal }: RequestFacts): string {
  if (refusal === undefined || isOrdinary(refusal)) return '';
  return faults === undefined ? ' err' : ' warn';
}

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

type RequestFacts = ReturnType<ReturnType<typeof createFactsOf>>;

/** Headers of requests that the dashboard sends, and of replays. */
export const toolHeader = 'Grantbox-Tool';
export const replayHeader = 'Grantbox-Replay-Of';

const actors = { browser: 'browser', backend: 'client', tool: 'tool' } as const;

/** Reads the facts of requests. Create one for each response, because it keeps them: a search asks for them several times. */
export function createFactsOf(context: PageContext) {
  const { events, flows } = context;
  const known = new Map<Completed, ReturnType<typeof read>>();

  function read({ requestId, exchange }: Completed) {
    const flow = flows.ofRequest(requestId);
    const happened = events.ofRequest(requestId);
    return {
      ...namesIn(happened),
      // ids, by raw value, of the codes and tokens that the request issued, used or asked about, and of those they were issued from
      tokens: () => tokensIn(happened, context),
      get actor(): Actor {
        const step = flow?.steps.find(each => each.requestId === requestId);
        return step?.actor ?? actors[callerOf(exchange.requestHeaders)];
      },
      get replayOf() {
        return replayedBy(exchange.requestHeaders);
      },
      flow,
    };
  }

  return (event: Completed) => {
    const facts = known.get(event) ?? read(event);
    known.set(event, facts);
    return facts;
  };
}

type Happened = ReturnType<PageContext['events']['ofRequest']>;

function tokensIn(happened: Happened, { events }: PageContext): ReadonlyMap<string, string> {
  const ids = happened.flatMap(each => (isIssued(each) ? [each.tokenId, each.parentTokenId] : [usedToken(each)]));
  const issued = ids.flatMap(id => (id === undefined ? [] : (events.issued(id) ?? [])));
  return new Map(issued.map(({ token, tokenId }) => [token, tokenId]));
}

function namesIn(happened: Happened) {
  const first = (name: 'client_id' | 'sub') => {
    const event = happened.find(each => name in each) as { readonly [name]?: string } | undefined;
    return event?.[name];
  };
  const [client_id, sub] = [first('client_id'), first('sub')];
  const refusal = happened.find(each => each.type === 'error.returned');
  const grant_type = happened.find(each => each.type === 'token.requested')?.grant_type;
  return {
    // the first refusal if there are several, and the grant requested at the token endpoint
    client_id,
    sub,
    refusal,
    grant_type,
    tokenIds: happened.flatMap(each => (isIssued(each) ? [each.tokenId] : [])),
  };
}

/** Anybody can send the header, so it is only a hint. */
function replayedBy(headers: string): string | undefined {
  const sent = headerOf(headers, replayHeader);
  return sent !== undefined && /^req_[\w-]{1,60}$/.test(sent) ? sent : undefined;
}
