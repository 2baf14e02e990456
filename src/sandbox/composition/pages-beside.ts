import type { RequestHandler } from 'express';
import type { DashboardBeside } from '../../dashboard/dashboard.ts';
import { catalogue } from '../../extensions/catalogue/issuer-catalogue.ts';
import type { Lessons } from '../../extensions/lessons/lessons.ts';
import type { Workshop } from '../../extensions/lessons/workshop/workshop.ts';
import type { AppOptions } from '../../server/http/app.ts';
import type { Core } from '../extension.ts';
import { type Lazy, lazily } from './lazily.ts';

type Parts = Pick<Core, 'lessons' | 'mark' | 'modules' | 'playground' | 'workshop'>;

/** The dashboard and the pages beside it that an issuer has, by path; none where the dashboard is off. */
export function pagesOf(parts: Parts, dashboard: Lazy<DashboardBeside> | undefined): AppOptions['dashboard'] {
  if (dashboard === undefined) return [];
  const { workshop, lessons, playground, modules } = parts;
  const own = (path: string) => onFirstVisit(async () => (await dashboard.get()).routers.get(path) ?? nothing);
  return [
    ...(modules.dashboard?.paths ?? []).map(path => [path, own(path)] as const),
    ...(workshop === undefined ? [] : roomOf(workshop, dashboard)),
    ...(lessons === undefined ? [] : [['/lessons', lessonsOf(lessons, dashboard)] as const]),
    ...(playground === undefined ? [] : [['/playground', playgroundOf(parts, playground, dashboard)] as const]),
  ];
}

const nothing: RequestHandler = (_req, _res, next) => next();

/** Pages that are read with the first visit. */
export function onFirstVisit(load: () => Promise<RequestHandler>): RequestHandler {
  const pages = lazily(load);
  return (req, res, next) => void pages.get().then(router => router(req, res, next), next);
}

function roomOf(workshop: Lazy<Workshop>, dashboard: Lazy<DashboardBeside>): AppOptions['dashboard'] {
  const join = onFirstVisit(async () => {
    const { joinPages } = await import('../../extensions/lessons/workshop/pages/join-pages.ts');
    const room = await workshop.get();
    return (await dashboard.get()).openBeside((router, desk) => joinPages(router, desk, room));
  });
  const board = onFirstVisit(async () => {
    const { roomPages } = await import('../../extensions/lessons/workshop/pages/room-pages.ts');
    const room = await workshop.get();
    return (await dashboard.get()).openBeside((router, desk) => roomPages(router, desk, room));
  });
  return [
    ['/join', join],
    ['/room', board],
  ];
}

function lessonsOf(lessons: Lazy<Lessons>, dashboard: Lazy<DashboardBeside>): RequestHandler {
  return onFirstVisit(async () => {
    const { lessonPages } = await import('../../extensions/lessons/pages/lesson-pages.ts');
    const loaded = await lessons.get();
    return (await dashboard.get()).beside((router, desk) => lessonPages(router, desk, loaded));
  });
}

function playgroundOf(
  { mark }: Parts,
  playground: NonNullable<Core['playground']>,
  dashboard: Lazy<DashboardBeside>,
): RequestHandler {
  return onFirstVisit(async () => {
    const { playgroundPages } = await import('../../extensions/lessons/playground/playground.ts');
    const { clients: ready } = await catalogue.get();
    return (await dashboard.get()).beside((router, desk) =>
      playgroundPages(router, { desk, mark: mark.headers, ready, ...playground }),
    );
  });
}
