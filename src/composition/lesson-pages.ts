import type { RequestHandler } from 'express';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Core } from './core.ts';
import { lazily } from './lazily.ts';

/** The pages of the lessons, which are read with the first visit. */
export function lessonPagesOf(
  { lessons }: Pick<Core, 'lessons'>,
  dashboard: Dashboard,
): readonly (readonly [string, RequestHandler])[] {
  if (lessons === undefined) return [];
  const pages = lazily(async () => {
    const { lessonPages } = await import('../lessons/pages/lesson-pages.ts');
    const loaded = await lessons.get();
    return dashboard.beside((router, desk) => lessonPages(router, desk, loaded));
  });
  return [['/lessons', (req, res, next) => void pages.get().then(router => router(req, res, next), next)]];
}
