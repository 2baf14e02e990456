import type { Desk } from '../../../dashboard/desk.ts';
import { type Moment, momentOf } from '../../../dashboard/moment.ts';
import type { DeliveryAttempt, WebhookControl, WebhookDelivery, WebhookEndpoint } from '../control.ts';
import { limits, retrySeconds } from '../limits.ts';
import { webhookTypes } from '../webhook-types.ts';

/** The fields of the form for a new endpoint. */
export interface TypedEndpoint {
  readonly url: string;
  readonly secret: string;
  readonly events: string;
}

/** The texts of the page besides its lists. */
export interface WebhooksSaid {
  readonly typed: TypedEndpoint;
  /** Sentences by field. */
  readonly faults: Readonly<Partial<Record<keyof TypedEndpoint, readonly string[]>>>;
  readonly done: string;
  readonly isHidden: boolean;
}

const mostRows = 100;

/** The page: endpoints, a form, deliveries. */
export function webhooksPage({ clock }: Desk, control: WebhookControl, said: WebhooksSaid) {
  const deliveries = control.deliveries({ limit: mostRows + 1 });
  return {
    ...said,
    endpoints: control.endpoints().map(endpoint => endpointRow(endpoint, control)),
    deliveries: deliveries.slice(0, mostRows).map(each => rowOf(each, clock())),
    isMore: deliveries.length > mostRows,
    types: Object.entries(webhookTypes).map(([name, about]) => ({ name, about })),
    limits: { ...limits, attempts: retrySeconds.length + 1 },
  };
}

function endpointRow(endpoint: WebhookEndpoint, control: WebhookControl) {
  const own = control.deliveries({ endpoint: endpoint.id });
  const count = (status: WebhookDelivery['status']) => own.filter(each => each.status === status).length;
  const failed = count('failed') + count('dropped');
  return { ...endpoint, events: endpoint.events.join(' '), waiting: count('waiting'), failed };
}

const looks = { delivered: 'ok', waiting: 'info', failed: 'err', dropped: 'warn' } as const;

function rowOf({ id, type, url, status, attempts, createdAt, nextAttemptAt }: WebhookDelivery, now: number) {
  return {
    ...{ id, type, url, status, look: looks[status] },
    at: momentOf(createdAt, now),
    attempts: attempts.length,
    answer: attempts.at(-1)?.status,
    ...(nextAttemptAt === undefined ? {} : { next: momentOf(nextAttemptAt, now) }),
  };
}

/** The page of one delivery: the request as it was sent, and each answer. */
export function deliveryPage({ clock, events }: Desk, delivery: WebhookDelivery, done: string) {
  return {
    ...rowOf(delivery, clock()),
    done,
    messageId: delivery.messageId,
    body: JSON.stringify(JSON.parse(delivery.body), undefined, 2),
    attempts: delivery.attempts.map((each, index) => attemptView(each, index + 1, events.wall())).reverse(),
  };
}

function attemptView(
  { at, headers, status, milliseconds, answer, failure }: DeliveryAttempt,
  number: number,
  now: number,
) {
  const moment: Moment = momentOf(at, now);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return { number, at: moment, headers: lines.join('\n'), status, milliseconds, answer, failure };
}
