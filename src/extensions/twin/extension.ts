import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension } from '../../sandbox/extension.ts';

/** A configuration that answers as a tenant does. */
export const twin: Extension<undefined> & WithCommands = {
  name: 'twin',
  commands: [
    [
      'twin',
      'writes a clients.config.ts that looks like your tenant, and tells how much',
      () => import('./twin-command.ts'),
    ],
  ],
};
