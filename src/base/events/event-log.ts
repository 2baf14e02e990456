import type { EventFact, EventOf, EventType, SandboxEvent } from './event.ts';
import type { EventMemory, IssuedEvent } from './event-memory.ts';
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

/** Called with an event of the log. */
export type LogListener = (event: SandboxEvent) => void;

/**
 * Log of events, newest last, bounded per type so that a flood of one type does not push out the others. The only
 * source of the dashboard; the protocol never reads it. Replicas may share a log: then it answers from the events that this
 * replica has read, and `caughtUp` reads them.
 */
export interface EventLog extends LogReading {
  /** Id of this start of the sandbox. Event ids are only valid within one start. */
  readonly start: string;
  /**
   * Adds an event to the log and returns it with its id and time. In a shared log the id is 0: the event gets its id when it is
   * read, together with the events of the other replicas.
   */
  append(fact: EventFact, requestId: string): SandboxEvent;
  /** The real time, in Unix seconds: moving the clock of the sandbox does not change it. */
  wall(): number;
  /** The real time of a kept event; its `at` is by the clock of the sandbox. */
  wallOf(event: SandboxEvent): number;
  /** Number of events of a type since the start or the last `clear`, including dropped ones. */
  count(type: EventType): number;
  /** Bytes of all kept events, roughly. */
  keptBytes(): number;
  /** The id of the newest event that is not kept any more, 0 while all are. */
  readonly newestForgotten: number;
  /** The id of the newest event, 0 before the first. */
  readonly lastId: number;
  /**
   * Reads a shared log. After it, all that was appended before the call, here or in another replica, can be read.
   * @throws OAuthError 503 if the store of the replicas is away
   */
  caughtUp(): Promise<void>;
  /**
   * Calls the listener with each event after `lastId`, in the order of their ids; returns how to stop. A shared log is read as
   * long as somebody subscribes: this is for those who wait for news.
   */
  subscribe(listener: LogListener): () => void;
  /** Calls the listener with each event that this process appends, at once and without an id of a shared log. */
  hearOwn(listener: LogListener): () => void;
  /** As `subscribe`, but a shared log is not read for it: the listener hears an event when it is read for somebody else. */
  overhear(listener: LogListener): () => void;
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
  const listeners = new Set<LogListener>();
  const bounds = { capacity, bytes };
  let memory = createEventMemory(bounds);
  // kept only for events at which the two clocks differ
  const wallTimes = new WeakMap<SandboxEvent, number>();

  function listen(listener: LogListener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const log: EventLog = {
    ...readingFrom(() => memory),
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
    count: type => memory.count(type),
    keptBytes: () => memory.bytes(),
    get newestForgotten() {
      return memory.newestGone();
    },
    get lastId() {
      return lastId;
    },
    caughtUp: () => Promise.resolve(),
    subscribe: listen,
    hearOwn: listen,
    overhear: listen,
    waitFor: (type, matches, timeoutSeconds) => firstOf(log, type, matches, timeoutSeconds),
    clear() {
      memory = createEventMemory(bounds, lastId);
    },
  };
  return log;
}

/** Two clocks that are read one after the other agree if they differ by no more. */
export const sameTimeSeconds = 0.5;

/** Answers from the kept events of a log. */
interface LogReading {
  /** The newest events of a type first; `before` is an event id, for paging. */
  latest<T extends EventType>(type: T, limit: number, before?: number): EventOf<T>[];
  /** Codes and tokens together, newest first. */
  latestIssued(limit: number, before?: number): IssuedEvent[];
  /** Number of kept events of a type. */
  kept(type: EventType): number;
  /** All kept events of one request, oldest first. */
  ofRequest(requestId: string): SandboxEvent[];
  /** Everything issued or revoked under one authorization, oldest first. */
  ofAuthorization(authorizationId: string): SandboxEvent[];
  /** The code or token with this `tok_…` id; undefined if the log does not have it. */
  issued(tokenId: string): IssuedEvent | undefined;
  /** The newest code or token that was sent as this text, or that is encrypted around this JWT. */
  issuedAs(text: string): IssuedEvent | undefined;
  /** Events about a token (used, refused, introspected), oldest first. */
  ofToken(tokenId: string): SandboxEvent[];
  /** Events after `id` in order, or undefined when some of them are forgotten already. */
  since(id: number): SandboxEvent[] | undefined;
  /** Kept events after `id` in order, of all types or of these, even if some between were dropped. */
  keptSince<T extends EventType = EventType>(id: number, types?: readonly T[]): EventOf<T>[];
  /** Whether the log still has an event. */
  isKept(event: SandboxEvent): boolean;
}

/** Reads the memory that is current at the time of the call. */
export function readingFrom(memory: () => EventMemory): LogReading {
  return {
    latest: (type, limit, before) => take(memory().ofType(type), limit, before) as EventOf<typeof type>[],
    latestIssued: (limit, before) => take(memory().issued(), limit, before),
    kept: type => memory().kept(type),
    ofRequest: requestId => memory().byRequest.get(requestId)?.slice() ?? [],
    ofAuthorization: authorizationId => memory().byAuthorization.get(authorizationId)?.slice() ?? [],
    issued: tokenId => memory().byToken.get(tokenId),
    issuedAs: text => memory().byValue.get(text),
    ofToken: tokenId => [...(memory().byUse.get(tokenId) ?? [])],
    since: id => (id < memory().newestGone() ? undefined : memory().newer(id)),
    keptSince: (id, types) => memory().newer(id, types) as EventOf<NonNullable<typeof types>[number]>[],
    isKept: ({ requestId, id }) =>
      memory()
        .byRequest.get(requestId)
        ?.some(each => each.id === id) === true,
  };
}

function take<T extends SandboxEvent>(events: Iterable<T>, limit: number, before = Number.POSITIVE_INFINITY): T[] {
  const taken: T[] = [];
  for (const event of events) {
    if (taken.length >= limit) break;
    if (event.id < before) taken.push(event);
  }
  return taken;
}

interface Awaited extends Pick<LogReading, 'latest'> {
  subscribe(listener: (event: SandboxEvent) => void): () => void;
}

/** The first event that matches, among those kept or still to come; rejects after so many seconds. */
export function firstOf<T extends EventType>(
  log: Awaited,
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
