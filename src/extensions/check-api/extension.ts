import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension } from '../../sandbox/extension.ts';

/** Good and bad tokens, to see whether an API checks them. */
export const checkApi: Extension & WithCommands = {
  name: 'check-api',
  commands: [['check-api', 'calls your own API with good and bad tokens', () => import('./check-api-command.ts')]],
};
