import type { AskedEndpoint, WebhookControl } from '../control/webhooks.ts';
import type { SandboxEvent } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import type { Outbound } from '../oauth/outbound.ts';
import type { Store } from '../storage/store.ts';
import { attemptDelivery } from './attempt.ts';
import { claimDelivery } from './claim.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import type { Message, MessageSources } from './message.ts';
import { messagesOf, toldBy } from './messages.ts';
import { wantsType } from './webhook-types.ts';

/** What webhooks of one issuer work with. */
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
export interface Webhooks {
  readonly control: WebhookControl;
  /** Takes no more events, and resolves when each message so far has had its first attempt. */
  close(): Promise<void>;
}

/** Follows the log of an issuer, and tells the endpoints. The log is the only source, so that replicas that share it agree. */
export function createWebhooks(parts: WebhookParts): Webhooks {
  const { events, clock, outbound, store, onError } = parts;
  const endpoints = createEndpoints(parts.configured());
  const deliveries = createDeliveries({
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

  async function tell(event: SandboxEvent, told: readonly Message[]): Promise<void> {
    for (const message of await messagesOf(event, told, parts)) {
      const wanting = endpoints.all().filter(each => each.status === 'active' && wantsType(each.events, message.type));
      for (const endpoint of wanting) {
        if (await claimDelivery(store, endpoint.id, message.id)) deliveries.enqueue(endpoint, message);
      }
    }
  }

  const inOrder = createQueue(onError);
  function add(event: SandboxEvent): void {
    if (endpoints.all().length === 0) return;
    const told = toldBy(event, parts); // now, because a user may be gone when it is their turn
    if (told.length > 0 || event.type === 'request.completed') inOrder.add(() => tell(event, told));
  }
  function observe(event: SandboxEvent): void {
    if (event.type === 'clock.changed') deliveries.run();
    if (event.type === 'configuration.reloaded') configure();
    if (event.type === 'sandbox.reset') afterReset(event.part);
    add(event);
  }
  const configure = () => reconfigure(endpoints, deliveries, parts.configured());
  function afterReset(part: string | undefined): void {
    if (part === undefined || part === 'configuration') configure();
    if (part === undefined || part === 'history') deliveries.forget();
  }

  for (const event of events.keptSince(parts.after)) add(event);
  const unsubscribe = events.subscribe(observe);
  return {
    control: controlOf(endpoints, deliveries),
    async close() {
      unsubscribe();
      await inOrder.idle();
      await deliveries.drain();
    },
  };
}

/** Takes the endpoints of the configuration, and drops what waits for others. */
function reconfigure(endpoints: Endpoints, deliveries: Deliveries, configured: readonly AskedEndpoint[]): void {
  const before = endpoints.all();
  endpoints.configure(configured);
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

/** One event after the other, because a claim of the shared store takes a round trip. */
function createQueue(onError: (error: unknown) => void) {
  let last: Promise<void> = Promise.resolve();
  return {
    add(work: () => Promise<void>): void {
      last = last.then(work).catch(onError);
    },
    idle: () => last,
  };
}
