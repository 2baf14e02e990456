import type { WithPages } from '../../dashboard/page.ts';
import { formatPath, show } from '../../sandbox/config/problem.ts';
import { readOwn } from '../../sandbox/config/setting-values.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import type { WebhookEndpoint } from './control.ts';
import { webhookSettings } from './settings.ts';
import type { Webhooks } from './webhooks.ts';

/** Endpoints that are told of events: Standard Webhooks. */
export const webhooks: Extension<Webhooks> & WithPages<Webhooks> = {
  name: 'webhooks',
  settings: { Server: webhookSettings },
  async problems(sources) {
    const { value, source = '' } = readOwn(webhookSettings, 'webhooks', sources);
    if (value.length === 0) return [];
    const { endpointListFindings } = await import('./check-endpoint.ts');
    return endpointListFindings(value).map(({ path, value: sent, expected }) => ({
      source: `${source}${formatPath(path)}`,
      ...(sent === undefined ? {} : { value: show(sent) }),
      expected,
    }));
  },
  isAsked: config => ownSettings<typeof webhookSettings>(config).webhooks.length > 0,
  async load(issuer) {
    const after = issuer.events.lastId; // what happens while the code is loaded is told, too
    return (await import('./load-webhooks.ts')).loadWebhooks(issuer, after);
  },
  end: ({ close }) => close(),
  operations: async () => (await import('./operations.ts')).webhookOperations,
  shared: running => ({
    list: () => running.current()?.control.endpoints() ?? [],
    idOf: ({ id }: WebhookEndpoint) => id,
    taker: running.get,
  }),
  pages: [
    {
      path: '/dashboard/webhooks',
      entry: { name: 'Webhooks', key: 'w', icon: 'M2 8h3l3-5 3 10 2-5h1', group: 'Tools' },
      async routes(router, context, running) {
        const { webhookPages } = await import('./webhook-pages.ts');
        webhookPages(router, context, (await running()).control);
      },
    },
  ],
};
