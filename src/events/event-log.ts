import type { EventFact, EventOf, EventType, SandboxEvent } from './event.ts';
import { createRing, type Ring } from './ring.ts';

/** A code or token that was issued, as the log holds it. */
export type IssuedEvent = EventOf<'token.issued'> | EventOf<'code.issued'>;

export interface EventLogOptions {
  /** How many events of each type are kept; the oldest go first. */
  readonly capacity: number;
  /** Seconds, with a fraction. */
  readonly now: () => number;
}

/**
 * What happened, newest last, bounded per type of event so that a flood of one type does not push out the others.
 * The only source of the dashboard; nothing of the protocol reads it.
 */
export interface EventLog {
  append(fact: EventFact, requestId: string): SandboxEvent;
  /** The newest events of a type first; `before` is an event id, for paging. */
  latest<T extends EventType>(type: T, limit: number, before?: number): EventOf<T>[];
  /** Codes and tokens together, newest first. */
  latestIssued(limit: number, before?: number): IssuedEvent[];
  /** How many of a type happened since the start or the last `clear`, the forgotten ones included. */
  count(type: EventType): number;
  /** All kept events of one request, oldest first. */
  ofRequest(requestId: string): SandboxEvent[];
  /** Everything issued or revoked under one authorization, oldest first. */
  ofAuthorization(authorizationId: string): SandboxEvent[];
  issued(tokenId: string): IssuedEvent | undefined;
  /** Events after `id` in order, or undefined when some of them are forgotten already. */
  since(id: number): SandboxEvent[] | undefined;
  /** The id of the newest event, 0 before the first. */
  readonly lastId: number;
  /** Calls the listener with each event from now on; returns how to stop. */
  subscribe(listener: (event: SandboxEvent) => void): () => void;
  /** The first event that matches, among those kept or still to come; rejects after so many seconds. */
  waitFor<T extends EventType>(
    type: T,
    matches?: (event: EventOf<T>) => boolean,
    timeoutSeconds?: number,
  ): Promise<EventOf<T>>;
  clear(): void;
}

export function createEventLog({ capacity, now }: EventLogOptions): EventLog {
  let lastId = 0;
  const listeners = new Set<(event: SandboxEvent) => void>();
  let memory = createMemory(capacity);

  const log: EventLog = {
    append(fact, requestId) {
      const event = { ...fact, id: ++lastId, at: now(), requestId } as SandboxEvent;
      memory.add(event);
      for (const listener of listeners) listener(event);
      return event;
    },
    latest: (type, limit, before) => take(memory.ofType(type), limit, before) as EventOf<typeof type>[],
    latestIssued: (limit, before) => take(memory.issued(), limit, before),
    count: type => memory.count(type),
    ofRequest: requestId => memory.byRequest.get(requestId)?.slice() ?? [],
    ofAuthorization: authorizationId => memory.byAuthorization.get(authorizationId)?.slice() ?? [],
    issued: tokenId => memory.byToken.get(tokenId),
    since: id => memory.since(id, lastId),
    get lastId() {
      return lastId;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitFor: (type, matches, timeoutSeconds) => waitFor(log, type, matches, timeoutSeconds),
    clear() {
      memory = createMemory(capacity, lastId);
    },
  };
  return log;
}

/** The events that are kept, and the indexes over them: an event that leaves its ring leaves every index. */
function createMemory(capacity: number, lastForgotten = 0) {
  const rings = new Map<EventType, Ring<SandboxEvent>>();
  const counts = new Map<EventType, number>();
  const byRequest = new Map<string, SandboxEvent[]>();
  const byAuthorization = new Map<string, SandboxEvent[]>();
  const byToken = new Map<string, IssuedEvent>();
  let newestGone = lastForgotten;

  function ringOf(type: EventType): Ring<SandboxEvent> {
    const known = rings.get(type);
    if (known !== undefined) return known;
    const ring = createRing<SandboxEvent>(capacity);
    rings.set(type, ring);
    return ring;
  }

  function forget(event: SandboxEvent): void {
    newestGone = Math.max(newestGone, event.id);
    removeFrom(byRequest, event.requestId, event);
    if ('authorizationId' in event) removeFrom(byAuthorization, event.authorizationId, event);
    if ('tokenId' in event) byToken.delete(event.tokenId);
  }

  return {
    byRequest,
    byAuthorization,
    byToken,
    count: (type: EventType) => counts.get(type) ?? 0,
    ofType: (type: EventType) => rings.get(type)?.newestFirst() ?? none(),
    issued: () => merged(rings.get('token.issued'), rings.get('code.issued')) as Generator<IssuedEvent>,
    add(event: SandboxEvent) {
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
      addTo(byRequest, event.requestId, event);
      if ('authorizationId' in event) addTo(byAuthorization, event.authorizationId, event);
      if ('tokenId' in event) byToken.set(event.tokenId, event);
      const gone = ringOf(event.type).push(event);
      if (gone !== undefined) forget(gone);
    },
    since(id: number, lastId: number) {
      if (id < newestGone) return undefined;
      if (id >= lastId) return [];
      const newer = [...rings.values()].flatMap(ring => [...ring.newestFirst()].filter(event => event.id > id));
      return newer.sort((a, b) => a.id - b.id);
    },
  };
}

function addTo(index: Map<string, SandboxEvent[]>, key: string, event: SandboxEvent): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [event]);
  else list.push(event);
}

function removeFrom(index: Map<string, SandboxEvent[]>, key: string, event: SandboxEvent): void {
  const list = index.get(key);
  if (list === undefined) return;
  list.splice(list.indexOf(event), 1);
  if (list.length === 0) index.delete(key);
}

function* none(): Generator<never> {}

/** Two rings, each newest first, as one. */
function* merged(a?: Ring<SandboxEvent>, b?: Ring<SandboxEvent>): Generator<SandboxEvent> {
  const left = a?.newestFirst() ?? none();
  const right = b?.newestFirst() ?? none();
  let x = left.next();
  let y = right.next();
  while (!x.done || !y.done) {
    if (!x.done && (y.done || x.value.id > y.value.id)) {
      yield x.value;
      x = left.next();
    } else if (!y.done) {
      yield y.value;
      y = right.next();
    }
  }
}

function take<T extends SandboxEvent>(events: Iterable<T>, limit: number, before = Number.POSITIVE_INFINITY): T[] {
  const taken: T[] = [];
  for (const event of events) {
    if (taken.length >= limit) break;
    if (event.id < before) taken.push(event);
  }
  return taken;
}

function waitFor<T extends EventType>(
  log: EventLog,
  type: T,
  matches: (event: EventOf<T>) => boolean = () => true,
  timeoutSeconds = 10,
): Promise<EventOf<T>> {
  const isIt = (event: SandboxEvent): event is EventOf<T> => event.type === type && matches(event as EventOf<T>);
  const kept = log.latest(type, Number.POSITIVE_INFINITY).reverse().find(isIt);
  if (kept !== undefined) return Promise.resolve(kept);
  return new Promise((resolve, reject) => {
    const stop = log.subscribe(event => {
      try {
        if (!isIt(event)) return;
        resolve(event);
      } catch (error) {
        reject(error); // the condition is the caller's, and so is its mistake: the request that caused the event goes on
      }
      clearTimeout(timer);
      stop();
    });
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`no ${type} that matches within ${timeoutSeconds} s`));
    }, timeoutSeconds * 1000);
  });
}
