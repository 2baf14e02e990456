import { randomUUID } from 'node:crypto';
import type { DeliveryQuery, DeliveryStatus, WebhookDelivery, WebhookEndpoint } from './control.ts';
import { limits } from './limits.ts';
import { bodyOf, type WebhookMessage } from './message.ts';

/** A delivery as it changes. */
export interface KeptDelivery {
  delivery: WebhookDelivery;
  /** Attempts since it was created or sent again. */
  tried: number;
}

/** The deliveries that wait, and finished ones to look at, in the order of the events. */
export type DeliveryBook = ReturnType<typeof createDeliveryBook>;

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
