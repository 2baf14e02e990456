import type { WithCommands } from '../../client/cli/command.ts';
import type { WithPages } from '../../dashboard/page.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { shareCommands } from './share-commands.ts';

/** Recorded sessions: to look at, and as tests. */
export const sharing: Extension<undefined> & WithCommands & WithPages = {
  name: 'sharing',
  shareCommands,
  commands: [
    ['open', 'shows a recorded session, read-only', () => import('./open-command.ts')],
    [
      'reproduce',
      'writes a test that repeats a recorded problem and fails as it did',
      () => import('./reproduce-command.ts'),
    ],
  ],
};
