import type { EventOf, EventType, SandboxEvent } from './event.ts';
import type { Exchange } from './exchange.ts';
import { createRing, type Ring } from './ring.ts';

/** A code or token that was issued, as the log holds it. */
export type IssuedEvent = EventOf<'token.issued'> | EventOf<'code.issued'>;

/** True if an event issues a code or token. */
export function isIssued(event: SandboxEvent): event is IssuedEvent {
  return event.type === 'token.issued' || event.type === 'code.issued';
}

/**
 * The token that an event used, refused or asked about. A token may have more of these events than its whole
 * authorization has tokens.
 */
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

/** The events that are kept, and the indexes over them: an event that leaves its ring leaves every index. */
export function createEventMemory({ capacity, bytes }: MemoryBounds, lastForgotten = 0) {
  const rings = new Map<EventType, Ring<SandboxEvent>>();
  const counts = new Map<EventType, number>();
  const indexes = createIndexes();
  const weights = createEventWeights();
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
    weights.remove(event);
    indexes.remove(event);
  }

  function makeRoom(): void {
    while (weights.total > bytes) {
      const type = weights.heaviest();
      const gone = type === undefined ? undefined : ringOf(type).shift();
      if (gone === undefined) return;
      forget(gone);
    }
  }

  return {
    ...indexes,
    count: (type: EventType) => counts.get(type) ?? 0,
    kept: (type: EventType) => rings.get(type)?.size ?? 0,
    ofType: (type: EventType) => rings.get(type)?.newestFirst() ?? none(),
    issued: () => merged(rings.get('token.issued'), rings.get('code.issued')) as Generator<IssuedEvent>,
    add(event: SandboxEvent) {
      counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
      indexes.add(event);
      weights.add(event);
      const gone = ringOf(event.type).push(event);
      if (gone !== undefined) forget(gone);
      makeRoom();
    },
    newestGone: () => newestGone,
    newer(id: number) {
      const newer = [...rings.values()].flatMap(ring => [...newerThan(ring, id)]);
      return newer.sort((a, b) => a.id - b.id);
    },
  };
}

/** Rings are ordered by id, so the search stops at the first event that is not newer. */
function* newerThan(ring: Ring<SandboxEvent>, id: number): Generator<SandboxEvent> {
  for (const event of ring.newestFirst()) {
    if (event.id <= id) return;
    yield event;
  }
}

function createIndexes() {
  const byRequest = new Map<string, SandboxEvent[]>();
  const byAuthorization = new Map<string, SandboxEvent[]>();
  const byToken = new Map<string, IssuedEvent>();
  const byUse = new Map<string, Set<SandboxEvent>>();
  return {
    byRequest,
    byAuthorization,
    byToken,
    byUse,
    add(event: SandboxEvent) {
      addTo(byRequest, event.requestId, event);
      if (isIssued(event)) byToken.set(event.tokenId, event);
      const used = usedToken(event);
      if (used !== undefined) addUse(byUse, used, event);
      else if ('authorizationId' in event) addTo(byAuthorization, event.authorizationId, event);
    },
    remove(event: SandboxEvent) {
      removeFrom(byRequest, event.requestId, event);
      if (isIssued(event)) byToken.delete(event.tokenId);
      const used = usedToken(event);
      if (used !== undefined) removeUse(byUse, used, event);
      else if ('authorizationId' in event) removeFrom(byAuthorization, event.authorizationId, event);
    },
  };
}

/**
 * A set, because one token may be used a thousand times a second, and removing the oldest item of a long list costs 50
 * µs.
 */
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

/** Merges two rings, newest first. */
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

/** Memory of the kept events in bytes, roughly. */
interface EventWeights {
  add(event: SandboxEvent): void;
  remove(event: SandboxEvent): void;
  /** Bytes of all types together. */
  readonly total: number;
  heaviest(): EventType | undefined;
}

function createEventWeights(): EventWeights {
  const ofType = new Map<EventType, number>();
  let total = 0;

  function change(type: EventType, by: number): void {
    total += by;
    ofType.set(type, (ofType.get(type) ?? 0) + by);
  }

  return {
    add: event => change(event.type, weightOfEvent(event)),
    remove: event => change(event.type, -weightOfEvent(event)),
    get total() {
      return total;
    },
    heaviest() {
      let most: [EventType, number] | undefined;
      for (const each of ofType) if (most === undefined || each[1] > most[1]) most = each;
      return most?.[0];
    },
  };
}

/** Bytes of an event without the texts it quotes. */
const eventBytes = 400;
/** Bytes of a change in an entry of the configuration. */
const entryBytes = 500;
/** Bytes of the claims stored for an opaque token. */
const claimBytes = 800;

function weightOfEvent(event: SandboxEvent): number {
  if (event.type === 'request.completed') {
    return eventBytes + weightOfExchange(event.exchange);
  }
  if (event.type === 'configuration.reloaded') return eventBytes + entryBytes * event.entries.length;
  if ('claims' in event) return eventBytes + claimBytes;
  return 'token' in event ? eventBytes + event.token.length : eventBytes;
}

/** Memory an exchange is charged with in bytes, roughly. */
function weightOfExchange({ url, requestHeaders, requestBody, responseHeaders, responseBody }: Exchange): number {
  const bodies = (requestBody?.text.length ?? 0) + (responseBody?.text.length ?? 0);
  return url.length + requestHeaders.length + responseHeaders.length + bodies;
}
