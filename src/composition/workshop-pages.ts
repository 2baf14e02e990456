import type { RequestHandler } from 'express';
import type { Dashboard } from '../dashboard/dashboard.ts';
import type { Core } from './core.ts';
import { lazily } from './lazily.ts';

/** The pages of a room, which are read with the first visit. */
export function workshopPagesOf(
  { workshop }: Pick<Core, 'workshop'>,
  dashboard: Dashboard,
): readonly (readonly [string, RequestHandler])[] {
  if (workshop === undefined) return [];
  const pages = lazily(async () => {
    const [{ joinPages }, { roomPages }, room] = await Promise.all([
      import('../workshop/pages/join-pages.ts'),
      import('../workshop/pages/room-pages.ts'),
      workshop.get(),
    ]);
    return {
      join: dashboard.openBeside((router, desk) => joinPages(router, desk, room)),
      room: dashboard.openBeside((router, desk) => roomPages(router, desk, room)),
    };
  });
  const handle =
    (name: 'join' | 'room'): RequestHandler =>
    (req, res, next) =>
      void pages.get().then(routers => routers[name](req, res, next), next);
  return [
    ['/join', handle('join')],
    ['/room', handle('room')],
  ];
}

/** The page that a browser gets at the root: in a workshop the one that leads a learner to their seat. */
export function homeOf({ workshop, guard }: Pick<Core, 'workshop' | 'guard'>): string {
  if (workshop !== undefined) return '/join';
  return guard === undefined ? '/dashboard' : '/lessons';
}
