import type { EventOf, EventType, SandboxEvent } from './event.ts';
import type { EventMemory, IssuedEvent } from './event-memory.ts';

/** Answers from the kept events of a log. */
export interface LogReading {
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

/** Where an event is waited for. */
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
