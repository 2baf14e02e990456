import type { Core } from '../../sandbox/composition/core.ts';
import { lazily } from '../../sandbox/composition/lazily.ts';
import type { IssuerWebhooks } from './issuer-webhooks.ts';

/** `core` is read when the webhooks begin, because they are a part of it. */
export function createWebhooksOf(core: () => Core): IssuerWebhooks {
  let isAsked = false;
  const webhooks = lazily(async () => {
    isAsked = true;
    const parts = core();
    // what happened while the code was loaded is told, too
    const after = parts.events.lastId;
    return (await import('./load-webhooks.ts')).loadWebhooks(parts, after);
  });
  return {
    ...webhooks,
    async start() {
      const { config, log } = core();
      if (config.webhooks.length > 0) await webhooks.get().catch(error => log.error(error, 'sandbox'));
    },
    async end() {
      if (!isAsked) return;
      const ending = webhooks.get().then(({ close }) => close());
      await ending.catch(error => core().log.error(error, 'sandbox'));
    },
  };
}
