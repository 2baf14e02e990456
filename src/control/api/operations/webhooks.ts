import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { described, optional, text } from '../../described.ts';
import { faultsOf } from '../../outcome.ts';
import type { AskedEndpoint, WebhookDelivery } from '../../webhooks.ts';
import { operation } from '../operation.ts';
import { wholeNumber } from '../query-values.ts';
import { refusedInput, unknownEntry } from '../refusal.ts';

const statuses = ['waiting', 'delivered', 'failed', 'dropped'] as const;

const endpoint = v.object({
  id: v.string(),
  url: v.string(),
  secret: text('`whsec_…`, with which the receiver verifies signatures'),
  events: v.array(v.string()),
  status: described(v.picklist(['active', 'gone']), '`gone`: it answered 410, and gets nothing more'),
  configured: described(v.boolean(), 'True if it comes from the configuration'),
});

const delivery = v.object({
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
      answer: optional(v.string(), 'The beginning of the answer'),
      failure: optional(v.string(), 'Why it was not delivered'),
    }),
  ),
  nextAttemptAt: optional(v.number(), 'Unix seconds of the sandbox’s clock'),
  createdAt: described(v.number(), 'Unix seconds of the sandbox’s clock'),
});

/** Endpoints that are told of events, and what was sent to them. */
export const webhookOperations = [
  operation({
    name: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'List the endpoints that are told of events',
    answers: { 200: { description: 'Endpoints', schema: v.object({ webhooks: v.array(endpoint) }) } },
    run: async (_input, { webhooks }) => jsonAnswer(200, { webhooks: (await webhooks()).endpoints() }),
  }),
  operation({
    name: 'addWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Add an endpoint, in memory; it is told of events from now on',
    body: v.strictObject({
      url: described(v.string('a URL'), 'http or https; OUTBOUND says which addresses are called'),
      secret: optional(v.string('text'), '`whsec_` and 24 to 64 bytes in base64. Default: a new one'),
      events: optional(v.array(v.string(), 'a list of types'), 'Such as `user.*` and `problem.found`. Default: all'),
    }),
    answers: { 201: { description: 'The endpoint', schema: endpoint } },
    async run({ body }, { webhooks }) {
      const { endpointFindings } = await import('../../../webhooks/check-endpoint.ts');
      const faults = faultsOf(endpointFindings(body));
      if (faults.length > 0) throw refusedInput(faults);
      const added = (await webhooks()).add(body as AskedEndpoint); // checked
      if (!('fault' in added)) return jsonAnswer(201, added);
      throw refusedInput([{ member: 'url', sent: body.url, expected: added.fault }]);
    },
  }),
  operation({
    name: 'removeWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    summary: 'Remove an endpoint, and drop what waits for it',
    answers: { 200: { description: 'It is removed', schema: v.object({ removed: v.string() }) } },
    async run({ path: { id = '' } }, { webhooks }) {
      const control = await webhooks();
      const known = control.endpoints().map(each => each.id);
      if (!control.remove(id)) throw unknownEntry('endpoint', id, known);
      return jsonAnswer(200, { removed: id });
    },
  }),
  operation({
    name: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/deliveries',
    summary: 'List what was sent to endpoints, newest first, with each attempt and its answer',
    query: v.strictObject({
      endpoint: optional(v.string(), 'Only of this endpoint, `ep_…`'),
      status: optional(v.picklist(statuses), 'Only with this status'),
      type: optional(v.string(), 'Only of this type'),
      limit: v.optional(wholeNumber(1, 1000, 'Most entries to return. Default: 100')),
    }),
    answers: { 200: { description: 'Deliveries', schema: v.object({ deliveries: v.array(delivery) }) } },
    run: async ({ query: { limit = 100, ...query } }, { webhooks }) =>
      jsonAnswer(200, { deliveries: (await webhooks()).deliveries({ ...query, limit }) }),
  }),
  operation({
    name: 'getDelivery',
    method: 'GET',
    path: '/webhooks/deliveries/{id}',
    summary: 'Read one delivery',
    answers: { 200: { description: 'The delivery', schema: delivery } },
    async run({ path: { id = '' } }, { webhooks }) {
      const control = await webhooks();
      return jsonAnswer(200, control.delivery(id) ?? missing(id, control.deliveries()));
    },
  }),
  operation({
    name: 'resendDelivery',
    method: 'POST',
    path: '/webhooks/deliveries/{id}/resend',
    summary: 'Send a message again, with the same `webhook-id`',
    answers: { 200: { description: 'The delivery, which waits again', schema: delivery } },
    async run({ path: { id = '' } }, { webhooks }) {
      const control = await webhooks();
      return jsonAnswer(200, control.resend(id) ?? missing(id, control.deliveries()));
    },
  }),
];

/** @throws invalid_request with 404 */
function missing(id: string, known: readonly WebhookDelivery[]): never {
  throw unknownEntry(
    'delivery',
    id,
    known.map(each => each.id),
  );
}
