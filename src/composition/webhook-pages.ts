import type { RequestHandler } from 'express';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Core } from './core.ts';
import { lazily } from './lazily.ts';

/** The page of webhooks, which is read with the first visit. */
export function webhookPagesOf(
  { webhooks }: Pick<Core, 'webhooks'>,
  dashboard: Dashboard,
): readonly (readonly [string, RequestHandler])[] {
  const pages = lazily(async () => {
    const { webhookPages } = await import('../webhooks/pages/webhook-pages.ts');
    const { control } = await webhooks.get();
    return dashboard.beside((router, desk) => webhookPages(router, desk, control));
  });
  return [['/dashboard/webhooks', (req, res, next) => void pages.get().then(router => router(req, res, next), next)]];
}
