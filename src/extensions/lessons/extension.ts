import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension } from '../../sandbox/extension.ts';
import type { Learning } from './learning.ts';

/** Lessons with labs, the playground, the workshop and the demo application. */
export const lessons: Extension<Learning> & WithCommands = {
  name: 'lessons',
  isOffered: issuer => issuer.lessons !== undefined,
  load: async issuer => issuer,
  operations: async () => (await import('./operations.ts')).operations,
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
