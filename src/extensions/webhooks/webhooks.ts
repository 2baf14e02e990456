import { hash } from 'node:crypto';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { Store } from '../../base/store.ts';
import type { Outbound } from '../../protocol/outbound.ts';
import { attemptDelivery, newSecret } from './attempt.ts';
import type { AskedEndpoint, WebhookControl, WebhookEndpoint } from './control.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { limits } from './limits.ts';
import { type Message, type MessageSources, messagesOf, toldBy, type WebhookType, wantsType } from './messages.ts';

/** The parts of an issuer that its webhooks use. */
export interface WebhookParts extends MessageSources {
  readonly events: EventLog;
  readonly store: Pick<Store, 'add'>;
  /** The way to other servers, with the rules for allowed addresses. */
  readonly outbound: Pick<Outbound, 'post'>;
  /** Unix seconds of the sandbox's clock. */
  readonly clock: () => number;
  /** The endpoints of the configuration, as they are now. */
  readonly configured: () => readonly AskedEndpoint[];
  /** Events up to this id are not told. */
  readonly after: number;
  readonly onError: (error: unknown) => void;
}

/** Webhooks of one running issuer. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** Follows the log of an issuer, and tells the endpoints. The log is the only source, so that replicas that share it agree. */
export function createWebhooks(parts: WebhookParts) {
  const { events, configured } = parts;
  const endpoints = createEndpoints(configured());
  const deliveries = createDeliveriesTo(endpoints, parts);
  const teller = createTeller(endpoints, deliveries, parts);

  function afterReset(part: string | undefined): void {
    if (part === undefined || part === 'configuration') reconfigure(endpoints, deliveries, configured(), 'remove');
    if (part === undefined || part === 'history') deliveries.forget();
  }
  function observe(event: SandboxEvent): void {
    if (event.type === 'clock.changed') deliveries.run();
    if (event.type === 'configuration.reloaded') reconfigure(endpoints, deliveries, configured(), 'keep');
    if (event.type === 'sandbox.reset') afterReset(event.part);
    teller.tell(event);
  }

  for (const event of events.keptSince(parts.after)) teller.tell(event);
  const unsubscribe = events.subscribe(observe);
  return {
    control: controlOf(endpoints, deliveries),
    /** Takes over an endpoint of another replica; undefined for one that was removed. */
    put(id: string, endpoint: WebhookEndpoint | undefined): void {
      endpoints.put(id, endpoint);
      if (endpoint === undefined) deliveries.drop(id);
    },
    /** Takes no more events, and resolves when each message so far has had its first attempt. */
    async close(): Promise<void> {
      unsubscribe();
      await teller.idle();
      await deliveries.drain();
    },
  };
}

function createDeliveriesTo(endpoints: Endpoints, { clock, events, outbound, onError }: WebhookParts): Deliveries {
  const deliveries: Deliveries = createDeliveries({
    clock,
    endpoint: endpoints.find,
    attempt: (endpoint, { messageId: id, body }) =>
      attemptDelivery(outbound, endpoint, { id, body, at: events.wall() }),
    gone(id) {
      endpoints.mark(id, 'gone');
      deliveries.drop(id);
    },
    onError,
  });
  return deliveries;
}

/** Makes the messages of events and hands them to the endpoints, one event after the other: a claim of the shared store takes a round trip. */
function createTeller(endpoints: Endpoints, deliveries: Deliveries, parts: WebhookParts) {
  let last: Promise<void> = Promise.resolve();
  const wanting = (type: WebhookType) =>
    endpoints.all().filter(each => each.status === 'active' && wantsType(each.events, type));

  async function enqueue(event: SandboxEvent, told: readonly Message[]): Promise<void> {
    for (const message of await messagesOf(event, told, parts)) {
      for (const endpoint of wanting(message.type)) {
        const isOurs = await claimDelivery(parts.store, endpoint.id, message.id);
        const now = endpoints.find(endpoint.id); // it may have been removed meanwhile
        if (isOurs && now?.status === 'active') deliveries.enqueue(now, message);
      }
    }
  }
  return {
    tell(event: SandboxEvent): void {
      const mayBeProblem = event.type === 'request.completed' && wanting('problem.found').length > 0;
      // now, because a user may be gone when it is their turn
      const told = endpoints.all().length === 0 ? [] : toldBy(event, parts);
      if (mayBeProblem || told.some(([type]) => wanting(type).length > 0))
        last = last.then(() => enqueue(event, told)).catch(parts.onError);
    },
    idle: () => last,
  };
}

/** Takes the endpoints of the configuration, and drops what waits for others. */
function reconfigure(
  endpoints: Endpoints,
  deliveries: Deliveries,
  configured: readonly AskedEndpoint[],
  added: 'keep' | 'remove',
): void {
  const before = endpoints.all();
  endpoints.configure(configured, added);
  for (const { id } of before) if (endpoints.find(id) === undefined) deliveries.drop(id);
}

function controlOf(endpoints: Endpoints, deliveries: Deliveries): WebhookControl {
  return {
    endpoints: endpoints.all,
    add: endpoints.add,
    remove(id) {
      deliveries.drop(id);
      return endpoints.remove(id);
    },
    deliveries: deliveries.list,
    delivery: deliveries.find,
    resend(id) {
      const endpointId = deliveries.find(id)?.endpointId;
      if (endpointId !== undefined) endpoints.mark(endpointId, 'active');
      return deliveries.resend(id);
    },
  };
}

/**
 * Claims the delivery of a message to an endpoint. Of any number of replicas that read the same event, exactly one gets true,
 * and it alone attempts the delivery.
 */
export function claimDelivery(store: Pick<Store, 'add'>, endpointId: string, messageId: string): Promise<boolean> {
  return store.add(['webhook', `${endpointId} ${messageId}`], true, limits.claim);
}

type Endpoints = ReturnType<typeof createEndpoints>;

function createEndpoints(configured: readonly AskedEndpoint[]) {
  const byId = new Map<string, WebhookEndpoint>();

  /** Takes the configured endpoints, in place of the former ones. Generated secrets stay. */
  function configure(asked: readonly AskedEndpoint[], added: 'keep' | 'remove'): void {
    const before = new Map(byId);
    for (const each of before.values()) if (each.configured || added === 'remove') byId.delete(each.id);
    for (const each of asked) {
      const endpoint = endpointOf(each, true);
      const { secret = endpoint.secret } = each.secret === undefined ? (before.get(endpoint.id) ?? {}) : {};
      byId.set(endpoint.id, { ...endpoint, secret });
    }
  }

  configure(configured, 'remove');
  return {
    all: (): readonly WebhookEndpoint[] => [...byId.values()],
    find: (id: string) => byId.get(id),
    add(asked: AskedEndpoint): WebhookEndpoint | { readonly problem: string } {
      const endpoint = endpointOf(asked, false);
      if (byId.has(endpoint.id)) return { problem: 'a URL that is not an endpoint already' };
      if (byId.size >= limits.endpoints) return { problem: `at most ${limits.endpoints} endpoints; remove one first` };
      byId.set(endpoint.id, endpoint);
      return endpoint;
    },
    remove: (id: string) => byId.delete(id),
    /** Takes over an endpoint of another replica; undefined for one that was removed. */
    put: (id: string, endpoint: WebhookEndpoint | undefined) =>
      void (endpoint === undefined ? byId.delete(id) : byId.set(id, endpoint)),
    /** `gone`: it answered 410, and nothing more is sent to it. */
    mark(id: string, status: WebhookEndpoint['status']): void {
      const endpoint = byId.get(id);
      if (endpoint !== undefined) byId.set(id, { ...endpoint, status });
    },
    configure,
  };
}

function endpointOf(
  { url, secret = newSecret(), events = ['*'] }: AskedEndpoint,
  configured: boolean,
): WebhookEndpoint {
  return { id: idOf(url), url, secret, events, status: 'active', configured };
}

function idOf(url: string): string {
  return `ep_${hash('sha256', url, 'hex').slice(0, 12)}`;
}
