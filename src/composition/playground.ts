import type { RequestHandler } from 'express';
import type { Dashboard } from '../dashboard/dashboard.ts';
import { catalogue } from './catalogue.ts';
import type { Core } from './core.ts';
import { lazily } from './lazily.ts';

/** The playground, which is read with the first visit. It is off where the lessons are. */
export function playgroundOf(
  { playground, mark }: Pick<Core, 'playground' | 'mark'>,
  dashboard: Dashboard,
): readonly (readonly [string, RequestHandler])[] {
  if (playground === undefined || mark === undefined) return [];
  const pages = lazily(async () => {
    const [{ playgroundPages }, { clients: ready }] = await Promise.all([
      import('../playground/playground.ts'),
      catalogue.get(),
    ]);
    return dashboard.beside((router, desk) =>
      playgroundPages(router, { desk, mark: mark.headers, ready, ...playground }),
    );
  });
  return [['/playground', (req, res, next) => void pages.get().then(router => router(req, res, next), next)]];
}
