import { createMatcher } from '../../events/search/match.ts';
import { parseQuery } from '../../events/search/query.ts';
import type { Flow, FlowStatus } from '../../flows/flow.ts';
import { flowKindWords } from '../../flows/flow-words.ts';
import { sequenceOf } from '../../flows/sequence.ts';
import type { Pieces } from '../../turns/in-turns.ts';
import { firstMatching } from '../../turns/matching.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';
import { type FilterBox, filterBox } from '../search/filter-box.ts';
import { flowSearch } from './flow-search.ts';
import { statusClass, tookWords } from './flow-words.ts';

/** A row of the list. */
export interface FlowRow {
  readonly id: string;
  readonly kind: string;
  readonly client_id: string;
  readonly sub: string;
  readonly status: FlowStatus;
  readonly statusClass: string;
  /** `6/8` */
  readonly steps: string;
  readonly at: Moment;
  readonly took: string;
  readonly tokens: number;
}

/** The list of flows with its filter. */
export interface FlowsPage {
  readonly filter: FilterBox;
  readonly rows: readonly FlowRow[];
  /** Addresses; empty where there is none. */
  readonly older: string;
  readonly newest: string;
  /** In the history, whatever the filter; counted where nothing fits it. */
  readonly kept: number;
  /** Whether some are gone from it. */
  readonly isIncomplete: boolean;
}

export interface FlowsQuery {
  readonly query: string;
  /** Only older ones than this. */
  readonly before?: string | undefined;
  /** Only those in which something happened after this event. */
  readonly after?: number | undefined;
}

const mostRows = 100;
const longestName = 40;

interface ListedFlows {
  /** Newest first. */
  readonly rows: readonly FlowRow[];
  /** Where the next page starts; undefined on the last one. */
  readonly before: string | undefined;
  readonly parsed: ReturnType<typeof parseQuery>;
}

/** Searches the flows and draws those that are shown, one by one. */
export function* listFlows(desk: Desk, { query, before, after = 0 }: FlowsQuery): Pieces<ListedFlows> {
  const { flows, events, clock } = desk;
  const parsed = parseQuery(query, flowSearch.fields);
  const matches = createMatcher(parsed, flowSearch, clock());
  const isWanted = (flow: Flow) => flow.lastEventId > after && matches(flow);
  const found = yield* firstMatching(flows.newestFirst(before), isWanted, mostRows + 1);
  const shown = found.slice(0, mostRows);
  const rows: FlowRow[] = [];
  for (const flow of shown) {
    rows.push(toRow(flow, progressOf(flow, events), clock()));
    yield;
  }
  return {
    rows,
    before: found.length > mostRows ? shown.at(-1)?.id : undefined,
    parsed,
  };
}

export function* flowsPage(desk: Desk, asked: FlowsQuery): Pieces<FlowsPage> {
  const { events, flows } = desk;
  const { query } = asked;
  const { rows, before, parsed } = yield* listFlows(desk, asked);
  const items = flows.latest(300);
  return {
    filter: filterBox({
      ...{ action: address(desk, ''), query, parsed, list: flowSearch, items },
      placeholder: 'client:frontend status:failed has:problem age:<5m',
    }),
    rows,
    older: before === undefined ? '' : address(desk, query, before),
    newest: asked.before === undefined ? '' : address(desk, query),
    kept: rows.length === 0 ? flows.kept() : rows.length,
    isIncomplete: events.count('request.completed') > events.kept('request.completed'),
  };
}

/** A flow that has not changed is drawn once. */
const known = new WeakMap<Flow, string>();

function progressOf(flow: Flow, events: Desk['events']): string {
  const counted = known.get(flow);
  if (counted !== undefined) return counted;
  const { steps, reached } = sequenceOf(flow, events);
  const progress = `${reached}/${steps.length}`;
  known.set(flow, progress);
  return progress;
}

function shortened(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

function toRow(flow: Flow, steps: string, now: number): FlowRow {
  const { id, kind, client_id = '', sub = '', status, startedAt, tokenIds } = flow;
  return {
    ...{ id, status, steps, client_id: shortened(client_id), sub: shortened(sub) },
    kind: flowKindWords[kind],
    statusClass: statusClass[status],
    at: momentOf(startedAt, now),
    took: tookWords(flow),
    tokens: tokenIds.length,
  };
}

function address({ base }: Desk, query: string, before?: string): string {
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('q', query);
  if (before !== undefined) parameters.set('before', before);
  return `${base}/dashboard/flows${parameters.size === 0 ? '' : `?${parameters}`}`;
}
