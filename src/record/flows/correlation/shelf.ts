import type { FlowRecord } from './flow-record.ts';

/** The most flows kept. The flow that was inactive longest is removed first. */
export const mostFlows = 3000;

export type Shelf = ReturnType<typeof createShelf>;

/** Creates an empty shelf. */
export function createShelf() {
  /** Sorted by number; may contain forgotten flows. */
  let inOrder: FlowRecord[] = [];
  const byId = new Map<string, FlowRecord>();
  const sessions = createSessionFlows();
  /** Sorted by last request, the oldest first. */
  const byActivity = new Set<FlowRecord>();
  let number = 0;

  function remove(flow: FlowRecord): void {
    flow.isForgotten = true;
    byId.delete(flow.id);
    byActivity.delete(flow);
    sessions.remove(flow);
    if (inOrder.length > 2 * byId.size + 100) inOrder = inOrder.filter(({ isForgotten }) => !isForgotten);
  }

  const shelf = {
    /** Number of flows since the start or the last reset, without those of kind `setup`. */
    counted: 0,
    /** The kept flows. */
    byId: byId as ReadonlyMap<string, FlowRecord>,
    add(make: (number: number) => FlowRecord): FlowRecord {
      const flow = make(++number);
      inOrder.push(flow);
      byId.set(flow.id, flow);
      if (flow.kind !== 'setup') shelf.counted++;
      return flow;
    },
    /** Marks a flow as active; returns the flows that were removed to make room. */
    touch(flow: FlowRecord): readonly FlowRecord[] {
      byActivity.delete(flow);
      byActivity.add(flow);
      sessions.add(flow);
      const gone = firstOf(byActivity, byId.size - mostFlows);
      for (const each of gone) remove(each);
      return gone;
    },
    remove,
    /** Flows older than `before`, newest first, generated lazily. */
    newestFirst: (before?: string) => newest(inOrder, before === undefined ? undefined : byId.get(before)),
    ofSession: sessions.of,
    clear(): void {
      for (const each of [byId, byActivity, sessions]) each.clear();
      inOrder = [];
      shelf.counted = 0;
    },
  };
  return shelf;
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

/** Flows by the `sid` of the login session they created or ended. */
function createSessionFlows() {
  const bySession = new Map<string, Set<FlowRecord>>();

  return {
    add(flow: FlowRecord): void {
      if (flow.sid === undefined) return;
      const flows = bySession.get(flow.sid) ?? new Set();
      bySession.set(flow.sid, flows.add(flow));
    },
    remove(flow: FlowRecord): void {
      const flows = bySession.get(flow.sid ?? '');
      flows?.delete(flow);
      if (flows?.size === 0) bySession.delete(flow.sid ?? '');
    },
    /** The flows of a session, oldest first. */
    of: (sid: string) => [...(bySession.get(sid) ?? [])].sort((a, b) => a.number - b.number),
    clear: () => bySession.clear(),
  };
}
