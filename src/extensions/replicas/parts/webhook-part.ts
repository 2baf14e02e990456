import type { WebhookEndpoint } from '../../webhooks/control.ts';
import type { IssuerWebhooks } from '../../webhooks/issuer-webhooks.ts';
import type { SharedPart } from '../shared-part.ts';
import { comparedPart } from './compared-part.ts';

/** The endpoints of webhooks, with the secrets that were made for them. Each message is sent by the replica that claims it. */
export function webhookPart(webhooks: IssuerWebhooks): SharedPart {
  return comparedPart<WebhookEndpoint>({
    name: 'webhooks',
    list: () => webhooks.current()?.control.endpoints() ?? [],
    idOf: ({ id }) => id,
    taker: async () => (await webhooks.get()).put,
  });
}
