import type { FlowRecord } from './flow-record.ts';
import { createSessionFlows } from './session-flows.ts';

/** How many flows are kept; the one that nothing happened in for longest goes first. */
const mostFlows = 3000;

/** All flows there are. */
export interface Shelf {
  add(make: (number: number) => FlowRecord): FlowRecord;
  /** A request went to it; gives the flows that had to go for that. */
  touch(flow: FlowRecord): readonly FlowRecord[];
  remove(flow: FlowRecord): void;
  /** Those that are older than `before`, each when it is asked for. */
  newestFirst(before?: string): Iterable<FlowRecord>;
  find(id: string): FlowRecord | undefined;
  ofSession(sid: string): FlowRecord[];
  /** Since the start, without those of kind `setup`. */
  count(): number;
  kept(): number;
  clear(): void;
}

export function createShelf(): Shelf {
  /** By number; some of them may be gone. */
  let inOrder: FlowRecord[] = [];
  const byId = new Map<string, FlowRecord>();
  const sessions = createSessionFlows();
  /** Whose last request is oldest comes first. */
  const byActivity = new Set<FlowRecord>();
  let number = 0;
  let counted = 0;

  function remove(flow: FlowRecord): void {
    flow.isForgotten = true;
    byId.delete(flow.id);
    byActivity.delete(flow);
    sessions.remove(flow);
    if (inOrder.length > 2 * byId.size + 100) inOrder = inOrder.filter(({ isForgotten }) => !isForgotten);
  }

  return {
    add(make) {
      const flow = make(++number);
      inOrder.push(flow);
      byId.set(flow.id, flow);
      if (flow.kind !== 'setup') counted++;
      return flow;
    },
    touch(flow) {
      byActivity.delete(flow);
      byActivity.add(flow);
      sessions.add(flow);
      const gone = firstOf(byActivity, byId.size - mostFlows);
      for (const each of gone) remove(each);
      return gone;
    },
    remove,
    newestFirst: before => newest(inOrder, before === undefined ? undefined : byId.get(before)),
    find: id => byId.get(id),
    ofSession: sessions.of,
    count: () => counted,
    kept: () => byId.size,
    clear() {
      for (const each of [byId, byActivity, sessions]) each.clear();
      inOrder = [];
      counted = 0;
    },
  };
}

function firstOf(flows: Iterable<FlowRecord>, count: number): FlowRecord[] {
  const first: FlowRecord[] = [];
  for (const flow of flows) {
    if (first.length >= count) break;
    first.push(flow);
  }
  return first;
}

function* newest(inOrder: readonly FlowRecord[], before: FlowRecord | undefined): Generator<FlowRecord> {
  const end = before?.number ?? Number.POSITIVE_INFINITY;
  for (const flow of inOrder.toReversed()) if (!flow.isForgotten && flow.number < end) yield flow;
}
