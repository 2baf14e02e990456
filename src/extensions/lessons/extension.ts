import type { WithCommands } from '../../client/cli/command.ts';
import type { WithPages } from '../../dashboard/page.ts';
import type { Extension, Issuer, WholePart } from '../../sandbox/extension.ts';
import { routeAt } from '../../server/http/route.ts';
import { eventWords } from './event-words.ts';
import { hasLessons, isRoom, keptFor, type LearningHere } from './learning.ts';
import { lessonFoldersOf } from './lesson-folders.ts';
import { lessonSettings, roomFileOf, workshopProblems } from './settings.ts';
import type { KeptRoom } from './workshop/keep-room.ts';

const offersLessons = (issuer: Issuer) => hasLessons(issuer) || keptFor(issuer).lessons !== undefined;

/** Lessons with labs, the playground, the workshop and the demo app. */
export const lessons: Extension<LearningHere> & WithPages<LearningHere> & WithCommands = {
  name: 'lessons',
  settings: { Dashboard: lessonSettings },
  events: {
    words: eventWords,
    lines: {
      'lesson.started': ({ lesson, issuer }) => [{ issuer }, `lesson ${lesson} started at ${issuer}`],
      'task.done': ({ task, lesson, issuer }) => [{ issuer }, `task ${task} of ${lesson} is done`],
    },
    recorded: async () => (await import('./recorded-events.ts')).recordedEvents,
  },
  wholeProblems: async sources => workshopProblems(sources),
  // the user's own lessons are read at the start
  whole(sandbox) {
    const file = roomFileOf(sandbox.config);
    if (file === undefined && lessonFoldersOf(sandbox.config).length === 0) return undefined;
    let kept: KeptRoom | undefined;
    return Promise.resolve<WholePart>({
      async begin([first]) {
        const { workshop } = (await first?.extensions.of(lessons).get()) ?? {};
        if (workshop === undefined || file === undefined) return;
        kept = await (await import('./workshop/keep-room.ts')).keepRoom(file, await workshop.get(), sandbox);
      },
      close: async () => kept?.close(),
    });
  },
  isOffered: offersLessons,
  load: async issuer => (await import('./load-learning.ts')).loadLearning(issuer),
  guard: async (issuer, running) => (isRoom(issuer) ? (await running.get()).workshop?.guard : undefined),
  async members(first, running) {
    const room = isRoom(first) ? (await running.get()).workshop : undefined;
    return room === undefined ? {} : { workshop: room.told };
  },
  endStreams: ({ workshop }) => workshop?.current()?.streams.close(),
  operations: async () => (await import('./operations.ts')).operations,
  routes: [
    {
      ...routeAt(
        'demo_app GET POST',
        '/demo-app',
        'demo app, which signs people in here as any client does; its protections can be switched off',
      ),
      load: async (issuer, tools) => (await import('./demo-app/demo-app.ts')).demoAppOf(issuer, tools),
    },
    {
      ...routeAt('labs', '/labs', ''),
      isOffered: issuer => keptFor(issuer).lab !== undefined,
      async load(issuer, { adapter }) {
        const { labPaths } = await import('./lab/lab-paths.ts');
        return labPaths(issuer, adapter);
      },
    },
  ],
  assets: [
    'playground.css',
    'playground.js',
    'lessons.js',
    'lessons-page.css',
    'seat.js',
    'workshop.js',
    'workshop-page.css',
    'path-page.css',
  ],
  // short addresses outside the dashboard, which a teacher can write on the board
  pages: [
    {
      path: '/lessons',
      entry: { name: 'Lessons', key: 'e', icon: 'M1 6l7-3 7 3-7 3zM4 8v4c2 2 6 2 8 0V8', group: 'Learn' },
      isOffered: offersLessons,
      async routes(router, desk, running) {
        const loaded = await (await running()).lessons?.get();
        if (loaded !== undefined) (await import('./pages/lesson-pages.ts')).lessonPages(router, desk, loaded);
      },
    },
    {
      path: '/playground',
      entry: { name: 'Playground', key: 'y', icon: 'M4 2l9 6-9 6z', group: 'Learn' },
      isOffered: issuer => hasLessons(issuer) || keptFor(issuer).playground !== undefined,
      async routes(router, desk, running) {
        const { playgroundPages } = await import('./playground/playground.ts');
        const { readyClients: ready } = await import('../catalogue/ready-clients.ts');
        const { issuer, playground } = await running();
        playgroundPages(router, { desk, mark: () => issuer.sandbox.mark.headers('playground'), ready, ...playground });
      },
    },
    {
      path: '/join',
      isOpen: true,
      isOffered: isRoom,
      async routes(router, desk, running) {
        const room = await (await running()).workshop?.get();
        if (room !== undefined) (await import('./workshop/pages/join-pages.ts')).joinPages(router, desk, room);
      },
    },
    {
      path: '/room',
      isOpen: true,
      isOffered: isRoom,
      async routes(router, desk, running) {
        const room = await (await running()).workshop?.get();
        if (room !== undefined) (await import('./workshop/pages/room-pages.ts')).roomPages(router, desk, room);
      },
    },
  ],
  announced({ workshop }, { controlToken }) {
    if (workshop === undefined) return undefined;
    const { join, room, key } = workshop;
    return {
      facts: { join, room, key: controlToken === undefined ? key : 'the value of CONTROL_TOKEN' },
      lines: async () => (await import('./workshop/workshop-command.ts')).qrLines(join),
    };
  },
  counted: {
    about: 'checks the lessons in the folder `lessons` beside the file',
    async count(config) {
      const folders = lessonFoldersOf(config);
      if (folders.length === 0) return {};
      const { readPack } = await import('./pack/read-pack.ts');
      return { lessons: (await readPack(folders, config.derive)).length };
    },
  },
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
