import type { RequestHandler } from 'express';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Core } from './core.ts';
import { lazily } from './lazily.ts';

/** The playground, which is read with the first visit. It is off where the lessons are. */
export function playgroundOf(
  { lessons, mark }: Pick<Core, 'lessons' | 'mark'>,
  dashboard: Dashboard,
): readonly (readonly [string, RequestHandler])[] {
  if (lessons === undefined || mark === undefined) return [];
  const pages = lazily(async () => {
    const { playgroundPages } = await import('../playground/playground.ts');
    return dashboard.beside((router, desk) => playgroundPages(router, { desk, mark: mark.headers }));
  });
  return [['/playground', (req, res, next) => void pages.get().then(router => router(req, res, next), next)]];
}
