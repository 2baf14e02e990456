import * as v from 'valibot';
import { wholeNumber } from '../../sandbox/control/api/query-values.ts';
import { described, type OutputOf, optional, text } from '../../sandbox/control/described.ts';

const statuses = ['waiting', 'delivered', 'failed', 'dropped'] as const;

/** `dropped`: too many deliveries were waiting, or the endpoint was removed. */
export type DeliveryStatus = (typeof statuses)[number];

export const webhookEndpoint = v.object({
  id: v.string(),
  url: v.string(),
  secret: text('`whsec_…`, with which the receiver verifies signatures'),
  events: v.array(v.string()),
  status: described(v.picklist(['active', 'gone']), '`gone`: it answered 410, and gets nothing more'),
  configured: described(v.boolean(), 'True if it comes from the configuration'),
});

/** A receiver of webhooks. Its id is made from its URL, so that it is the same at each start. */
export type WebhookEndpoint = OutputOf<typeof webhookEndpoint>;

export const webhookDelivery = v.object({
  id: v.string(),
  endpointId: v.string(),
  url: v.string(),
  messageId: text('The `webhook-id`'),
  type: v.string(),
  body: text('The JSON that was posted'),
  status: described(v.picklist(statuses), '`dropped`: too many were waiting, or the endpoint was removed'),
  attempts: v.array(
    v.object({
      at: described(v.number(), 'Unix seconds of the real time'),
      headers: v.record(v.string(), v.string()),
      status: v.optional(v.number()),
      milliseconds: v.optional(v.number()),
      answer: optional(v.string(), 'The beginning of the response'),
      failure: optional(v.string(), 'Why it was not delivered'),
    }),
  ),
  nextAttemptAt: optional(v.number(), 'Unix seconds of the sandbox’s clock'),
  createdAt: described(v.number(), 'Unix seconds of the sandbox’s clock'),
});

/** One message for one endpoint. */
export type WebhookDelivery = OutputOf<typeof webhookDelivery>;

/** One request to an endpoint, and its answer. */
export type DeliveryAttempt = WebhookDelivery['attempts'][number];

export const askedEndpoint = v.strictObject({
  url: described(v.string('a URL'), 'http or https; OUTBOUND says which addresses are called'),
  secret: optional(v.string('text'), '`whsec_` and 24 to 64 bytes in base64. Default: a new one'),
  events: optional(v.array(v.string(), 'a list of types'), 'Such as `user.*` and `problem.found`. Default: all'),
});

/** A receiver as a caller describes it. */
export type AskedEndpoint = OutputOf<typeof askedEndpoint>;

export const deliveryQuery = v.strictObject({
  endpoint: optional(v.string(), 'Only of this endpoint, `ep_…`'),
  status: optional(v.picklist(statuses), 'Only with this status'),
  type: optional(v.string(), 'Only of this type'),
  limit: v.optional(wholeNumber(1, 1000, 'Most entries to return. Default: 100')),
});

export type DeliveryQuery = OutputOf<typeof deliveryQuery>;

/** Webhooks of one issuer: one implementation for the page and the control API. */
export interface WebhookControl {
  endpoints(): readonly WebhookEndpoint[];
  /** The new endpoint; or a sentence about why there is none. The values were checked. */
  add(asked: AskedEndpoint): WebhookEndpoint | { readonly problem: string };
  /** False if there is no such endpoint. Its waiting deliveries are dropped. */
  remove(id: string): boolean;
  /** Newest first. */
  deliveries(query?: DeliveryQuery): readonly WebhookDelivery[];
  delivery(id: string): WebhookDelivery | undefined;
  /** Begins the attempts of a delivery again, with the same `webhook-id`; undefined if there is no such delivery or endpoint. */
  resend(id: string): WebhookDelivery | undefined;
}
