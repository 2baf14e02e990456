import type { EventFact, EventOf, EventType, SandboxEvent } from './event.ts';
import type { IssuedEvent } from './event-memory.ts';
import { createEventMemory } from './event-memory.ts';

export type { IssuedEvent } from './event-memory.ts';

/** Limits and clocks of a log. */
export interface EventLogOptions {
  /** Number of events of each type to keep; the oldest are dropped first. */
  readonly capacity: number;
  /** Memory of all events in bytes, roughly; the oldest of the heaviest type are dropped first. Default: no bound. */
  readonly bytes?: number;
  /** Seconds, with a fraction. */
  readonly now: () => number;
  /** The real time, where `now` is a clock that can be moved. Default: `now`. */
  readonly wall?: () => number;
}

/**
 * Log of events, newest last, bounded per type so that a flood of one type does not push out the others. The only
 * source of the dashboard; the protocol never reads it.
 */
export interface EventLog {
  /** Id of this start of the sandbox. Event ids are only valid within one start. */
  readonly start: string;
  /** Adds an event to the log and returns it with its id and time. */
  append(fact: EventFact, requestId: string): SandboxEvent;
  /** The real time, in Unix seconds: moving the clock of the sandbox does not change it. */
  wall(): number;
  /** The real time of a kept event; its `at` is by the clock of the sandbox. */
  wallOf(event: SandboxEvent): number;
  /** The newest events of a type first; `before` is an event id, for paging. */
  latest<T extends EventType>(type: T, limit: number, before?: number): EventOf<T>[];
  /** Codes and tokens together, newest first. */
  latestIssued(limit: number, before?: number): IssuedEvent[];
  /** Number of events of a type since the start or the last `clear`, including dropped ones. */
  count(type: EventType): number;
  /** Number of kept events of a type. */
  kept(type: EventType): number;
  /** Bytes of all kept events, roughly. */
  keptBytes(): number;
  /** All kept events of one request, oldest first. */
  ofRequest(requestId: string): SandboxEvent[];
  /** Everything issued or revoked under one authorization, oldest first. */
  ofAuthorization(authorizationId: string): SandboxEvent[];
  /** The code or token with this `tok_…` id; undefined if the log does not have it. */
  issued(tokenId: string): IssuedEvent | undefined;
  /** Events about a token (used, refused, introspected), oldest first. */
  ofToken(tokenId: string): SandboxEvent[];
  /** Events after `id` in order, or undefined when some of them are forgotten already. */
  since(id: number): SandboxEvent[] | undefined;
  /** Kept events after `id` in order, even if some between were dropped. */
  keptSince(id: number): SandboxEvent[];
  /** The id of the newest event that is not kept any more, 0 while all are. */
  readonly newestForgotten: number;
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
  /** Forgets all kept events. Ids continue to count up. */
  clear(): void;
}

/** Creates an empty log in memory. */
export function createEventLog(options: EventLogOptions): EventLog {
  const { capacity, bytes = Number.POSITIVE_INFINITY, now, wall = now } = options;
  let lastId = 0;
  const listeners = new Set<(event: SandboxEvent) => void>();
  const bounds = { capacity, bytes };
  let memory = createEventMemory(bounds);
  // kept only for events at which the two clocks differ
  const wallTimes = new WeakMap<SandboxEvent, number>();

  const log: EventLog = {
    start: crypto.randomUUID(),
    append(fact, requestId) {
      // the stamp first: the other order takes Node 20 thirty times as long
      const event = { id: ++lastId, at: now(), requestId, ...fact } as SandboxEvent;
      const wallTime = wall();
      if (Math.abs(wallTime - event.at) > sameTimeSeconds) wallTimes.set(event, wallTime);
      memory.add(event);
      for (const listener of listeners) listener(event);
      return event;
    },
    wall,
    wallOf: event => wallTimes.get(event) ?? event.at,
    latest: (type, limit, before) => take(memory.ofType(type), limit, before) as EventOf<typeof type>[],
    latestIssued: (limit, before) => take(memory.issued(), limit, before),
    count: type => memory.count(type),
    kept: type => memory.kept(type),
    keptBytes: () => memory.bytes(),
    ofRequest: requestId => memory.byRequest.get(requestId)?.slice() ?? [],
    ofAuthorization: authorizationId => memory.byAuthorization.get(authorizationId)?.slice() ?? [],
    issued: tokenId => memory.byToken.get(tokenId),
    ofToken: tokenId => [...(memory.byUse.get(tokenId) ?? [])],
    since: id => (id < memory.newestGone() ? undefined : memory.newer(id)),
    keptSince: id => memory.newer(id),
    get newestForgotten() {
      return memory.newestGone();
    },
    get lastId() {
      return lastId;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitFor: (type, matches, timeoutSeconds) => waitFor(log, type, matches, timeoutSeconds),
    clear() {
      memory = createEventMemory(bounds, lastId);
    },
  };
  return log;
}

/** Two clocks that are read one after the other agree if they differ by no more. */
const sameTimeSeconds = 0.5;

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
        reject(error); // an error in the condition goes to the waiting caller; the request that caused the event continues
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
