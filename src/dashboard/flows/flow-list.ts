import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { cut } from '../../base/text/words.ts';
import { firstMatching } from '../../base/turns.ts';
import { type Flow, flowKindWords } from '../../record/flows/flow.ts';
import { stateOf } from '../../record/flows/flow-state.ts';
import { sequenceOf } from '../../record/flows/sequence.ts';
import { filterBox, pageLinks, withValue } from '../filter-box.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { stateView, tookWords } from './flow-view.ts';

interface FlowsQuery {
  readonly query: string;
  readonly before?: string | undefined;
  readonly after?: number | undefined;
}

const mostRows = 80;
const longestName = 40;
const longestTitle = 80;

/** Searches the flows, newest first; `most` limits their number. */
export function* findFlows(
  { flows, events, clock }: PageContext,
  { query, before, after = 0 }: FlowsQuery,
  most: number,
) {
  const list = flowSearch(events);
  const parsed = parseQuery(query, list.fields);
  const matches = createMatcher(parsed, list, clock());
  const isWanted = (flow: Flow) => flow.lastEventId > after && matches(flow);
  return { parsed, found: yield* firstMatching(flows.newestFirst(before), isWanted, most) };
}

/** Searches the flows and draws the shown ones, one at a time. */
export function* listFlows(context: PageContext, asked: FlowsQuery) {
  const { clock } = context;
  const { query } = asked;
  const { parsed, found } = yield* findFlows(context, asked, mostRows + 1);
  const shown = found.slice(0, mostRows);
  const rows: ReturnType<typeof toRow>[] = [];
  const linkOf: LinkOf = (name, value) => withValue('', query, name, value);
  for (const flow of shown) {
    rows.push(toRow(flow, { now: clock(), linkOf }));
    yield;
  }
  return {
    rows,
    // where the next page starts; undefined on the last one
    before: found.length > mostRows ? shown.at(-1)?.id : undefined,
    parsed,
  };
}

/** The list of flows with its filter. */
export function* flowsPage(context: PageContext, asked: FlowsQuery) {
  const { events, flows } = context;
  const { query } = asked;
  const { rows, before, parsed } = yield* listFlows(context, asked);
  const items = flows.latest(300);
  const action = `${context.base}/dashboard/flows`;
  return {
    filter: filterBox({
      action,
      query,
      parsed,
      list: flowSearch(events),
      items,
      placeholder: 'client:frontend status:failed grant:refresh_token age:<5m',
    }),
    rows,
    ...pageLinks(action, asked, before),
    kept: rows.length === 0 ? flows.kept() : rows.length,
    isIncomplete: events.count('request.completed') > events.kept('request.completed'),
  };
}

type LinkOf = (name: string, value: string | undefined) => string | undefined;

interface Progress {
  /** `6/10`: reached steps of all drawn steps. */
  readonly steps: string;
  readonly missing: string;
}

/** A flow is drawn again only if it has changed. */
const known = new WeakMap<Flow, Progress>();

export function progressOf(flow: Flow, events: PageContext['events']): Progress {
  const counted = known.get(flow);
  if (counted !== undefined) return counted;
  const { steps, reached } = sequenceOf(flow, events);
  const progress = { steps: `${reached}/${steps.length}`, missing: steps[reached]?.title ?? '' };
  known.set(flow, progress);
  return progress;
}

function toRow(flow: Flow, { now, linkOf }: { now: number; linkOf: LinkOf }) {
  const { id, kind, client_id = '', sub = '', status, startedAt, tokenIds } = flow;
  return {
    id,
    client_id: cut(client_id, longestName),
    sub: cut(sub, longestName),
    // shown where a name is cut
    titles: { client_id: cut(client_id, longestTitle), sub: cut(sub, longestTitle) },
    state: stateView(stateOf(flow), now),
    kind: flowKindWords[kind],
    links: {
      client: linkOf('client', flow.client_id),
      user: linkOf('user', flow.sub),
      status: linkOf('status', status),
    },
    at: momentOf(startedAt, now),
    took: tookWords(flow),
    tokens: tokenIds.length,
  };
}

const flowSearch = (events: PageContext['events']): Searchable<Flow> => ({
  fields: {
    client: { suggested: true, of: flow => flow.client_id },
    user: { suggested: true, of: flow => flow.sub },
    status: { values: ['open', 'ok', 'failed', 'abandoned'], of: flow => flow.status },
    kind: { values: Object.keys(flowKindWords), of: flow => flow.kind },
    code: { suggested: true, of: codesOf },
    grant: { suggested: true, slow: true, of: flow => grantsIn(flow, events) },
    endpoint: { of: ({ steps }) => steps.map(({ endpoint }) => endpoint) },
    has: { values: ['problem', 'token'], of: partsOf },
    is: { values: ['inferred', 'incomplete', 'tool'], of: signsOf },
  },
  words: flow => [
    flow.id,
    flowKindWords[flow.kind],
    stateOf(flow).words,
    flow.client_id,
    flow.sub,
    ...flow.steps.map(({ requestId }) => requestId),
    ...flow.tokenIds,
  ],
  at: flow => flow.startedAt,
});

function grantsIn({ steps }: Flow, events: PageContext['events']): string[] {
  return steps
    .filter(({ endpoint }) => endpoint === 'token')
    .flatMap(({ requestId }) => events.ofRequest(requestId))
    .flatMap(fact => (fact.type === 'token.requested' ? [fact.grant_type] : []));
}

function codesOf({ steps }: Flow): string[] {
  return steps.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.error, refusal.reason]));
}

function partsOf({ steps, tokenIds }: Flow): string[] {
  const isRefused = steps.some(({ refusal }) => refusal !== undefined);
  return [...(isRefused ? ['problem'] : []), ...(tokenIds.length > 0 ? ['token'] : [])];
}

function signsOf({ steps, incomplete }: Flow): string[] {
  return [
    ...(steps.some(({ joinedBy }) => joinedBy === 'inferred') ? ['inferred'] : []),
    ...(incomplete ? ['incomplete'] : []),
    ...(steps.some(({ actor }) => actor === 'tool') ? ['tool'] : []),
  ];
}
