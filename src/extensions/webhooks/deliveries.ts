import { randomUUID } from 'node:crypto';
import type { Attempted } from './attempt.ts';
import type { DeliveryQuery, DeliveryStatus, WebhookDelivery, WebhookEndpoint } from './control.ts';
import { limits, retrySeconds } from './limits.ts';
import { bodyOf, type WebhookMessage } from './messages.ts';

/** The clock, the endpoints and the sender of deliveries. */
export interface DeliveryParts {
  /** Unix seconds of the sandbox's clock, which decides when an attempt is due. */
  readonly clock: () => number;
  /** Sends a delivery once. */
  readonly attempt: (endpoint: WebhookEndpoint, delivery: WebhookDelivery) => Promise<Attempted>;
  readonly endpoint: (id: string) => WebhookEndpoint | undefined;
  /** The endpoint answered 410. */
  readonly gone: (endpointId: string) => void;
  /** A bug of ours, not of a receiver. */
  readonly onError: (error: unknown) => void;
}

/** The queue of each endpoint. */
export type Deliveries = ReturnType<typeof createDeliveries>;

/**
 * One attempt at a time for each endpoint, in the order of the events. A delivery that failed waits for its next attempt by the clock
 * of the sandbox, and does not hold up those behind it.
 */
export function createDeliveries(parts: DeliveryParts) {
  const book = createDeliveryBook();
  const { run, drain } = createRunner(parts, book);
  return {
    list: book.list,
    forget: book.forget,
    find: (id: string) => book.find(id)?.delivery,
    run,
    drain,
    enqueue(endpoint: WebhookEndpoint, message: WebhookMessage): void {
      book.add(endpoint, message, parts.clock());
      run();
    },
    /** Drops what waits for an endpoint that was removed. */
    drop(endpointId: string): void {
      for (const entry of book.waiting(endpointId)) book.change(entry, { status: 'dropped' });
    },
    resend(id: string): WebhookDelivery | undefined {
      const entry = book.find(id);
      if (entry === undefined || parts.endpoint(entry.delivery.endpointId) === undefined) return undefined;
      entry.tried = 0;
      book.change(entry, { status: 'waiting' });
      run();
      return entry.delivery;
    },
  };
}

function createRunner(parts: DeliveryParts, book: DeliveryBook) {
  const running = new Map<string, Promise<void>>();
  const timer = createTimer(() => run());
  let isDraining = false;

  const isDue = ({ tried, delivery: { nextAttemptAt = 0 } }: KeptDelivery) =>
    tried === 0 || (!isDraining && nextAttemptAt <= parts.clock());

  async function attemptAll(endpointId: string): Promise<void> {
    for (;;) {
      const next = book.waiting(endpointId).find(isDue);
      const endpoint = parts.endpoint(endpointId);
      if (next === undefined || endpoint === undefined) return;
      settle(parts, book, next, await parts.attempt(endpoint, next.delivery));
    }
  }
  function begin(endpointId: string): void {
    const work = attemptAll(endpointId)
      .catch(parts.onError)
      .finally(() => {
        running.delete(endpointId);
        run(); // for what came at the very end
      });
    running.set(endpointId, work);
  }
  /** Attempts what is due now, also after the clock was moved. */
  function run(): void {
    const due = new Set(
      book
        .waiting()
        .filter(isDue)
        .map(({ delivery }) => delivery.endpointId),
    );
    for (const id of due) if (!running.has(id) && parts.endpoint(id) !== undefined) begin(id);
    timer.set(isDraining ? undefined : secondsToNext(book.waiting(), parts.clock()));
  }
  return {
    run,
    /** Resolves when each delivery has had its first attempt. Retries are given up. */
    async drain(): Promise<void> {
      isDraining = true;
      run();
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

/** Keeps the attempt, and decides what comes next. */
function settle(
  parts: DeliveryParts,
  book: DeliveryBook,
  entry: KeptDelivery,
  { attempt, result, retryAfter = 0 }: Attempted,
): void {
  entry.tried++;
  if (entry.delivery.status !== 'waiting') return; // it was dropped meanwhile
  const attempts = [...entry.delivery.attempts, attempt];
  const pause = retrySeconds[entry.tried - 1];
  if (result === 'refused' && pause !== undefined) {
    book.change(entry, { attempts, nextAttemptAt: parts.clock() + Math.max(pause, retryAfter) });
  } else book.change(entry, { attempts, status: result === 'delivered' ? 'delivered' : 'failed' });
  if (result === 'gone') parts.gone(entry.delivery.endpointId);
}

/** Undefined if nothing waits for a later attempt. */
function secondsToNext(waiting: readonly KeptDelivery[], now: number): number | undefined {
  const times = waiting.flatMap(({ delivery: { nextAttemptAt: at } }) => (at === undefined ? [] : [at]));
  return times.length === 0 ? undefined : Math.max(1, Math.min(...times) - now);
}

/** A clock that was moved back may be years away. */
const longestTimer = 86_400;

/** Wakes the queue in real time; a clock that stands still then finds nothing due, and waits again. */
function createTimer(wake: () => void): { set(seconds: number | undefined): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    set(seconds) {
      clearTimeout(timer);
      timer = seconds === undefined ? undefined : setTimeout(wake, Math.min(seconds, longestTimer) * 1000).unref();
    },
  };
}

interface KeptDelivery {
  delivery: WebhookDelivery;
  /** Attempts since it was created or sent again. */
  tried: number;
}

/** The deliveries that wait, and finished ones to look at, in the order of the events. */
type DeliveryBook = ReturnType<typeof createDeliveryBook>;

export function createDeliveryBook() {
  const kept = new Map<string, KeptDelivery>();
  let characters = 0;

  function remove(id: string): void {
    characters -= kept.get(id)?.delivery.body.length ?? 0;
    kept.delete(id);
  }
  /** The oldest finished ones go first. Waiting ones have a limit of their own. */
  function makeRoom(): void {
    for (const [id, { delivery }] of kept) {
      if (kept.size <= limits.kept && characters <= limits.characters) return;
      if (delivery.status !== 'waiting') remove(id);
    }
  }
  /** Of one endpoint, or of all. */
  const waiting = (endpointId?: string): readonly KeptDelivery[] =>
    [...kept.values()].filter(
      ({ delivery }) => delivery.status === 'waiting' && (endpointId ?? delivery.endpointId) === delivery.endpointId,
    );
  return {
    /** Adds one that waits; one too many for its endpoint is dropped at once. */
    add(endpoint: WebhookEndpoint, message: WebhookMessage, now: number): void {
      const isFull = waiting(endpoint.id).length >= limits.waiting || characters >= limits.characters;
      const delivery = newDelivery(endpoint, message, { now, status: isFull ? 'dropped' : 'waiting' });
      kept.set(delivery.id, { delivery, tried: 0 });
      characters += delivery.body.length;
      makeRoom();
    },
    waiting,
    /** Replaces members; the next attempt is forgotten unless it is among them. */
    change(entry: KeptDelivery, changes: Partial<WebhookDelivery>): void {
      const { nextAttemptAt: _, ...facts } = entry.delivery;
      entry.delivery = { ...facts, ...changes };
    },
    find: (id: string) => kept.get(id),
    /** Newest first. */
    list: ({ limit = limits.kept, ...query }: DeliveryQuery = {}): readonly WebhookDelivery[] =>
      [...kept.values()]
        .map(({ delivery }) => delivery)
        .filter(delivery => fits(delivery, query))
        .reverse()
        .slice(0, limit),
    /** Removes what is finished. */
    forget(): void {
      for (const [id, { delivery }] of kept) if (delivery.status !== 'waiting') remove(id);
    },
  };
}

function fits(delivery: WebhookDelivery, { endpoint, status, type }: DeliveryQuery): boolean {
  return (
    (endpoint ?? delivery.endpointId) === delivery.endpointId &&
    (status ?? delivery.status) === delivery.status &&
    (type ?? delivery.type) === delivery.type
  );
}

function newDelivery(
  { id: endpointId, url }: WebhookEndpoint,
  message: WebhookMessage,
  { now, status }: { readonly now: number; readonly status: DeliveryStatus },
): WebhookDelivery {
  const { id: messageId, type } = message;
  const id = `dlv_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  return { id, endpointId, url, messageId, type, body: bodyOf(message), status, attempts: [], createdAt: now };
}
