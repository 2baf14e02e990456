import type { WithCommands } from '../../client/cli/command.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension, WholePart } from '../../sandbox/extension.ts';
import type { MovedState } from './move-state.ts';
import { stateSettings } from './settings.ts';

/** What an issuer remembers, kept in a file across restarts, or moved to another sandbox. */
export const state: Extension<MovedState> & WithCommands = {
  name: 'state',
  settings: { Storage: stateSettings },
  whole(sandbox) {
    const { stateFile } = ownSettings<typeof stateSettings>(sandbox.config);
    if (stateFile === undefined) return undefined;
    return import('./keep-state.ts').then(({ keepState }): WholePart => {
      let kept: Awaited<ReturnType<typeof keepState>> | undefined;
      return {
        async begin(issuers) {
          kept = await keepState(stateFile, issuers, sandbox);
        },
        close: async () => kept?.close(),
      };
    });
  },
  load: async issuer => (await import('./move-state.ts')).movedState(issuer),
  operations: async () => (await import('./operations.ts')).stateOperations,
  commands: [['state', 'exports and imports what a running sandbox remembers', () => import('./state-command.ts')]],
};
