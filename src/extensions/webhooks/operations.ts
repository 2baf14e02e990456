import * as v from 'valibot';
import { operation } from '../../sandbox/control/api/operation.ts';
import { problemsOf } from '../../sandbox/control/outcome.ts';
import { refusedInput, unknownEntry } from '../../sandbox/control/refusal.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import { askedEndpoint, deliveryQuery, type WebhookDelivery, webhookDelivery, webhookEndpoint } from './control.ts';
import type { Webhooks } from './webhooks.ts';

/** Endpoints that are told of events, and what was sent to them. */
export const webhookOperations = [
  operation({
    name: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'List the endpoints that are told of events',
    answers: { 200: { description: 'Endpoints', schema: v.object({ webhooks: v.array(webhookEndpoint) }) } },
    run: async (_input, _controlled, { control }: Webhooks) => jsonAnswer(200, { webhooks: control.endpoints() }),
  }),
  operation({
    name: 'addWebhook',
    method: 'POST',
    path: '/webhooks',
    changes: true,
    summary: 'Add an endpoint, in memory; it is told of events from now on',
    body: askedEndpoint,
    answers: { 201: { description: 'The endpoint', schema: webhookEndpoint } },
    async run({ body }, _controlled, { control }: Webhooks) {
      const { endpointFindings } = await import('./check-endpoint.ts');
      const problems = problemsOf(endpointFindings(body));
      if (problems.length > 0) throw refusedInput(problems);
      const added = control.add(body);
      if (!('problem' in added)) return jsonAnswer(201, added);
      throw refusedInput([{ member: 'url', sent: body.url, expected: added.problem }]);
    },
  }),
  operation({
    name: 'removeWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    changes: true,
    summary: 'Remove an endpoint, and drop what waits for it',
    answers: { 200: { description: 'It is removed', schema: v.object({ removed: v.string() }) } },
    async run({ path: { id = '' } }, _controlled, { control }: Webhooks) {
      const known = control.endpoints().map(each => each.id);
      if (!control.remove(id)) throw unknownEntry('endpoint', id, known);
      return jsonAnswer(200, { removed: id });
    },
  }),
  operation({
    name: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/deliveries',
    summary: 'List what was sent to endpoints, newest first, with each attempt and its response',
    query: deliveryQuery,
    answers: { 200: { description: 'Deliveries', schema: v.object({ deliveries: v.array(webhookDelivery) }) } },
    run: async ({ query: { limit = 100, ...query } }, _controlled, { control }: Webhooks) =>
      jsonAnswer(200, { deliveries: control.deliveries({ ...query, limit }) }),
  }),
  operation({
    name: 'getDelivery',
    method: 'GET',
    path: '/webhooks/deliveries/{id}',
    summary: 'Read one delivery',
    answers: { 200: { description: 'The delivery', schema: webhookDelivery } },
    async run({ path: { id = '' } }, _controlled, { control }: Webhooks) {
      return jsonAnswer(200, control.delivery(id) ?? missing(id, control.deliveries()));
    },
  }),
  operation({
    name: 'resendDelivery',
    method: 'POST',
    path: '/webhooks/deliveries/{id}/resend',
    summary: 'Send a message again, with the same `webhook-id`',
    answers: { 200: { description: 'The delivery, which waits again', schema: webhookDelivery } },
    async run({ path: { id = '' } }, _controlled, { control }: Webhooks) {
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
