import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { atOnce, type Pieces } from '../../base/turns.ts';
import { kindOf } from './correlation/flow-kind.ts';
import { createFlowMemory, type FlowMemory } from './correlation/flow-memory.ts';
import { addStep, type FlowRecord, forgetStep, newRecord, shownFlow } from './correlation/flow-record.ts';
import { tokenHandle } from './correlation/handles.ts';
import { purposeOf } from './correlation/waiting-logins.ts';
import type { Flow, FlowIndex, JoinRule } from './flow.ts';
import { RecordedRequest } from './recorded-request.ts';

/** Creates the index of the flows in a log. It reads new events on each query. `clock` (Unix seconds) decides which flows are abandoned. */
export function createFlowIndex(events: EventLog, clock: () => number): FlowIndex {
  const writer = createFlowWriter(events);
  const current = () => {
    atOnce(writer.catchUp());
    return writer;
  };
  const shown = (flow: FlowRecord) => shownFlow(flow, clock());
  const shownIfAny = (flow: FlowRecord | undefined) => flow && shown(flow);

  function* newestFirst(before?: string): Generator<Flow> {
    for (const flow of current().shelf.newestFirst(before)) yield shown(flow);
  }

  return {
    latest(limit, before) {
      const flows: Flow[] = [];
      for (const flow of newestFirst(before)) if (flows.push(flow) >= limit) break;
      return flows;
    },
    newestFirst,
    find: id => shownIfAny(current().shelf.byId.get(id)),
    ofRequest: requestId => shownIfAny(current().ofRequest(requestId)),
    ofToken: tokenId => shownIfAny(current().ofToken(tokenId)),
    ofSession: sid => current().shelf.ofSession(sid).map(shown),
    catchUp: () => writer.catchUp(),
    count: () => current().shelf.counted,
    kept: () => current().shelf.byId.size,
  };
}

/** All that `take` reads: a log has several other events for each request. */
const typesRead = ['sandbox.reset', 'request.completed'] as const;

/** Builds flows from the requests of a log, reads each request once, and forgets requests that the log has forgotten. */
function createFlowWriter(events: EventLog) {
  const memory = createFlowMemory();
  const shelf = createShelf();
  const placed = createPlacedRequests();
  const parts = { memory, shelf, placed };
  let seen = 0;
  let unread: SandboxEvent[] = [];

  function take(event: SandboxEvent): void {
    if (event.type === 'sandbox.reset' && event.part !== 'configuration') {
      for (const each of [memory, shelf, placed]) each.clear();
    }
    if (event.type !== 'request.completed') return;
    if (events.isKept(event)) place(parts, new RecordedRequest(event, events.ofRequest(event.requestId)));
  }

  return {
    /** Reads new events; each is a piece. A second call may read the rest while the first one pauses. */
    *catchUp(): Pieces<void> {
      while (unread.length > 0 || events.lastId !== seen) {
        if (events.lastId !== seen) {
          unread = [...events.keptSince(seen, typesRead).toReversed(), ...unread];
          seen = events.lastId;
        }
        forgetOld(parts, events);
        for (let event = unread.pop(); event !== undefined; event = unread.pop()) {
          take(event);
          yield;
        }
        forgetOld(parts, events);
      }
    },
    shelf,
    ofRequest: placed.of,
    ofToken: (tokenId: string) => memory.ofHandle(tokenHandle(tokenId)),
  };
}

interface Parts {
  readonly memory: FlowMemory;
  readonly shelf: Shelf;
  readonly placed: ReturnType<typeof createPlacedRequests>;
}

/** Adds a request to its flow, starts a new flow, or keeps the request until a later one shows its flow. */
function place(parts: Parts, request: RecordedRequest): void {
  const { memory, shelf } = parts;
  const joined = request.event.method === 'OPTIONS' ? undefined : memory.find(request);
  const kind = kindOf(request);
  if (joined !== undefined) put(parts, joined.flow, request, joined.rule);
  else if (request.event.method === 'OPTIONS' || purposeOf(request) !== undefined) memory.keepLoose(request);
  else if (kind !== undefined)
    put(
      parts,
      shelf.add(number => newRecord(number, kind, request)),
      request,
      'first',
    );
}

function put(parts: Parts, flow: FlowRecord, request: RecordedRequest, rule: JoinRule): void {
  for (const loose of parts.memory.takeLoose(request)) write(parts, flow, loose.request, loose.rule);
  write(parts, flow, request, rule);
}

function write(parts: Parts, flow: FlowRecord, request: RecordedRequest, rule: JoinRule): void {
  const { requestId } = request.event;
  addStep(flow, request, rule);
  flow.handles.set(requestId, parts.memory.note(flow, request, rule === 'first'));
  parts.placed.add(flow, requestId);
  for (const gone of parts.shelf.touch(flow)) release(parts, gone);
}

function release({ placed, memory }: Parts, flow: FlowRecord): void {
  placed.remove(flow);
  memory.forget(flow);
}

/** Removes requests that the log has forgotten, which are always the oldest. */
function forgetOld(parts: Parts, events: EventLog): void {
  const { placed, memory, shelf } = parts;
  for (let oldest = placed.oldest(); oldest !== undefined; oldest = placed.oldest()) {
    const { flow, requestId } = oldest;
    if (events.ofRequest(requestId).some(({ type }) => type === 'request.completed')) return;
    placed.shift();
    memory.release(flow, requestId);
    forgetStep(flow, requestId);
    if (flow.steps.length > 0) continue;
    shelf.remove(flow);
    release(parts, flow);
  }
}

interface Placed {
  readonly flow: FlowRecord;
  readonly requestId: string;
}

function createPlacedRequests() {
  const byRequest = new Map<string, FlowRecord>();
  let queue: Placed[] = [];
  let read = 0;

  return {
    add(flow: FlowRecord, requestId: string): void {
      byRequest.set(requestId, flow);
      queue.push({ flow, requestId });
    },
    of: (requestId: string) => byRequest.get(requestId),
    oldest(): Placed | undefined {
      while (queue[read]?.flow.isForgotten) read++;
      if (read > 1000 && read > queue.length / 2) {
        queue = queue.slice(read);
        read = 0;
      }
      return queue[read];
    },
    shift(): void {
      const placed = queue[read++];
      if (placed !== undefined) byRequest.delete(placed.requestId);
    },
    remove({ steps }: FlowRecord): void {
      for (const { step } of steps) byRequest.delete(step.requestId);
    },
    clear(): void {
      byRequest.clear();
      queue = [];
      read = 0;
    },
  };
}

/** The most flows kept. The flow that was inactive longest is removed first. */
export const mostFlows = 3000;

type Shelf = ReturnType<typeof createShelf>;

function createShelf() {
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
    of: (sid: string) => [...(bySession.get(sid) ?? [])].sort((a, b) => a.number - b.number),
    clear: () => bySession.clear(),
  };
}
