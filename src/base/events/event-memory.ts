import type { EventOf, EventType, SandboxEvent } from './event.ts';
import type { Exchange } from './exchange.ts';

/** A code or token that was issued, as the log holds it. */
export type IssuedEvent = EventOf<'token.issued'> | EventOf<'code.issued'>;

/** True if an event issues a code or token. */
export function isIssued(event: SandboxEvent): event is IssuedEvent {
  return event.type === 'token.issued' || event.type === 'code.issued';
}

/** The token that an event used, refused or asked about. There may be more of these than tokens of an authorization. */
export function usedToken(event: SandboxEvent): string | undefined {
  if (event.type === 'token.used') return event.tokenId;
  return event.type === 'error.returned' || event.type === 'token.introspected' ? event.about : undefined;
}

/** Limits of the kept events. */
export interface MemoryBounds {
  /** Most events of each type. */
  readonly capacity: number;
  /** Most bytes of all events. */
  readonly bytes: number;
}

interface OfType {
  readonly ring: Ring<SandboxEvent>;
  count: number;
  bytes: number;
}

/** The kept events of a log. */
export type EventMemory = ReturnType<typeof createEventMemory>;

/** The events that are kept, and the indexes over them: an event that leaves its ring leaves every index. */
export function createEventMemory({ capacity, bytes }: MemoryBounds, lastForgotten = 0) {
  const types = new Map<EventType, OfType>();
  const indexes = createIndexes();
  let total = 0;
  let newestGone = lastForgotten;

  function typeOf({ type }: SandboxEvent): OfType {
    const known = types.get(type);
    if (known !== undefined) return known;
    const first: OfType = { ring: createRing(capacity), count: 0, bytes: 0 };
    types.set(type, first);
    return first;
  }

  function weigh(own: OfType, by: number): void {
    own.bytes += by;
    total += by;
  }

  function forget(event: SandboxEvent, own: OfType): void {
    newestGone = Math.max(newestGone, event.id);
    weigh(own, -weightOfEvent(event));
    indexes.remove(event);
  }

  function makeRoom(): void {
    while (total > bytes) {
      const heaviest = [...types.values()].reduce((most, each) => (each.bytes > most.bytes ? each : most));
      const gone = heaviest.ring.shift();
      if (gone === undefined) return;
      forget(gone, heaviest);
    }
  }

  return {
    ...indexes,
    count: (type: EventType) => types.get(type)?.count ?? 0,
    kept: (type: EventType) => types.get(type)?.ring.size ?? 0,
    ofType: (type: EventType) => types.get(type)?.ring.newestFirst() ?? none(),
    issued: () => merged(types.get('token.issued')?.ring, types.get('code.issued')?.ring) as Generator<IssuedEvent>,
    add(event: SandboxEvent) {
      const own = typeOf(event);
      own.count++;
      indexes.add(event);
      weigh(own, weightOfEvent(event));
      const gone = own.ring.push(event);
      if (gone !== undefined) forget(gone, own);
      makeRoom();
    },
    ...{ newestGone: () => newestGone, bytes: () => total },
    newer: (id: number, only: Iterable<EventType> = types.keys()) =>
      [...only].flatMap(type => [...newerThan(types.get(type)?.ring, id)]).sort((a, b) => a.id - b.id),
  };
}

/** Rings are ordered by id, so the search stops at the first event that is not newer. */
function* newerThan(ring: Ring<SandboxEvent> | undefined, id: number): Generator<SandboxEvent> {
  for (const event of ring?.newestFirst() ?? none()) {
    if (event.id <= id) return;
    yield event;
  }
}

function createIndexes() {
  const byRequest = new Map<string, SandboxEvent[]>();
  const byAuthorization = new Map<string, SandboxEvent[]>();
  const byToken = new Map<string, IssuedEvent>();
  /** By the code or token as it was sent, and by the JWT inside an encrypted one. */
  const byValue = new Map<string, IssuedEvent>();
  const byUse = new Map<string, Set<SandboxEvent>>();
  return {
    byRequest,
    byAuthorization,
    byToken,
    byValue,
    byUse,
    add(event: SandboxEvent) {
      addTo(byRequest, event.requestId, event);
      if (isIssued(event)) {
        byToken.set(event.tokenId, event);
        for (const value of valuesOf(event)) byValue.set(value, event);
      }
      const used = usedToken(event);
      if (used !== undefined) addUse(byUse, used, event);
      else if ('authorizationId' in event && event.authorizationId !== undefined)
        addTo(byAuthorization, event.authorizationId, event);
    },
    remove(event: SandboxEvent) {
      removeFrom(byRequest, event.requestId, event);
      if (isIssued(event)) {
        byToken.delete(event.tokenId);
        for (const value of valuesOf(event)) if (byValue.get(value) === event) byValue.delete(value);
      }
      const used = usedToken(event);
      if (used !== undefined) removeUse(byUse, used, event);
      else if ('authorizationId' in event && event.authorizationId !== undefined)
        removeFrom(byAuthorization, event.authorizationId, event);
    },
  };
}

function valuesOf(event: IssuedEvent): readonly string[] {
  return 'signed' in event && event.signed !== undefined ? [event.token, event.signed] : [event.token];
}

/** A set, because one token may be used a thousand times a second, and a long list loses its oldest item in 50 µs. */
function addUse(index: Map<string, Set<SandboxEvent>>, key: string, event: SandboxEvent): void {
  const uses = index.get(key);
  if (uses === undefined) index.set(key, new Set([event]));
  else uses.add(event);
}

function removeUse(index: Map<string, Set<SandboxEvent>>, key: string, event: SandboxEvent): void {
  const uses = index.get(key);
  uses?.delete(event);
  if (uses?.size === 0) index.delete(key);
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

/** Bytes of an event without the texts it quotes. */
const eventBytes = 400;
/** Bytes of a change in an entry of the configuration. */
const entryBytes = 500;
/** Bytes of the claims stored for an opaque token. */
const claimBytes = 800;

/** Memory an event is charged with in bytes, roughly. */
export function weightOfEvent(event: SandboxEvent): number {
  if (event.type === 'request.completed') {
    return eventBytes + weightOfExchange(event.exchange);
  }
  if (event.type === 'configuration.reloaded') return eventBytes + entryBytes * event.entries.length;
  if ('claims' in event) return eventBytes + claimBytes;
  return 'token' in event ? eventBytes + event.token.length : eventBytes;
}

function weightOfExchange({ url, requestHeaders, requestBody, responseHeaders, responseBody }: Exchange): number {
  const bodies = (requestBody?.text.length ?? 0) + (responseBody?.text.length ?? 0);
  return url.length + requestHeaders.length + responseHeaders.length + bodies;
}

/** A list that keeps the newest `capacity` items; adding never copies. */
export interface Ring<T> {
  /** Adds an item and returns the one it displaced, if any. */
  push(item: T): T | undefined;
  /** Removes and returns the oldest item. */
  shift(): T | undefined;
  /** Newest first. */
  newestFirst(): Generator<T>;
  readonly size: number;
}

/** Creates a ring; `capacity` is its largest number of items. */
export function createRing<T>(capacity: number): Ring<T> {
  const items: (T | undefined)[] = [];
  let next = 0;
  let size = 0;
  return {
    push(item) {
      const gone = items[next];
      items[next] = item;
      next = (next + 1) % capacity;
      if (gone === undefined) size++;
      return gone;
    },
    shift() {
      const oldest = (next - size + capacity) % capacity;
      const gone = size === 0 ? undefined : items[oldest];
      if (gone === undefined) return undefined;
      items[oldest] = undefined;
      size--;
      return gone;
    },
    *newestFirst() {
      for (let back = 1; back <= size; back++) {
        const item = items[(next - back + capacity) % capacity];
        if (item !== undefined) yield item;
      }
    },
    get size() {
      return size;
    },
  };
}
