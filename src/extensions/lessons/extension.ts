import type { WithCommands } from '../../client/cli/command.ts';
import type { WithPages } from '../../dashboard/desk.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { catalogue } from '../catalogue/issuer-catalogue.ts';
import type { Learning } from './learning.ts';

const inWorkshop = ({ workshop }: Learning) => workshop !== undefined;

/** Lessons with labs, the playground, the workshop and the demo application. */
export const lessons: Extension<Learning> & WithPages<Learning> & WithCommands = {
  name: 'lessons',
  isOffered: issuer => issuer.lessons !== undefined,
  load: async issuer => issuer,
  operations: async () => (await import('./operations.ts')).operations,
  routes: [
    {
      path: '/demo-app',
      name: 'demo_app',
      load: async (issuer, tools) => (await import('./composition/demo-app.ts')).demoAppOf(issuer, tools),
    },
    {
      path: '/labs',
      name: 'labs',
      isOffered: ({ lab }) => lab !== undefined,
      async load(issuer, { adapter }) {
        const { labPaths } = await import('./composition/labs.ts');
        return labPaths(issuer, adapter);
      },
    },
  ],
  // short addresses outside the dashboard, which a teacher can write on the board
  pages: [
    {
      path: '/playground',
      entry: { name: 'Playground', key: 'y', icon: 'M4 2l9 6-9 6z', group: 'Learn' },
      isOffered: ({ playground }) => playground !== undefined,
      async routes(router, desk, running) {
        const { playgroundPages } = await import('./playground/playground.ts');
        const { clients: ready } = await catalogue.get();
        const { mark, playground } = await running();
        playgroundPages(router, { desk, mark: mark.headers, ready, ...playground });
      },
    },
    {
      path: '/lessons',
      entry: { name: 'Lessons', key: 'e', icon: 'M1 6l7-3 7 3-7 3zM4 8v4c2 2 6 2 8 0V8', group: 'Learn' },
      isOffered: issuer => issuer.lessons !== undefined,
      async routes(router, desk, running) {
        const loaded = await (await running()).lessons?.get();
        if (loaded !== undefined) (await import('./pages/lesson-pages.ts')).lessonPages(router, desk, loaded);
      },
    },
    {
      path: '/join',
      isOpen: true,
      isOffered: inWorkshop,
      async routes(router, desk, running) {
        const room = await (await running()).workshop?.get();
        if (room !== undefined) (await import('./workshop/pages/join-pages.ts')).joinPages(router, desk, room);
      },
    },
    {
      path: '/room',
      isOpen: true,
      isOffered: inWorkshop,
      async routes(router, desk, running) {
        const room = await (await running()).workshop?.get();
        if (room !== undefined) (await import('./workshop/pages/room-pages.ts')).roomPages(router, desk, room);
      },
    },
  ],
  commands: [
    [
      'workshop',
      'starts a sandbox as the room of a workshop in the local network',
      () => import('./workshop/workshop-command.ts'),
    ],
    ['lessons', 'lists, tests and writes lessons', () => import('./lessons-command.ts')],
    ['lesson', 'calls your own API for a lesson', () => import('./lesson-command.ts')],
  ],
};
