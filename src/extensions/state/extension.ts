import type { WithCommands } from '../../client/cli/command.ts';
import { filePath } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension, WholePart } from '../../sandbox/extension.ts';
import type { MovedState } from './operations.ts';

const stateSettings = {
  /** File in which one process keeps what it remembers. Default: none, a restart forgets. */
  stateFile: setting(
    filePath,
    undefined,
    'File in which one process keeps keys, changed clients and users, sessions and refresh tokens across restarts; it is a secret',
    {
      defaultText: 'none',
      isWhole: true,
      isPath: true,
      // the same state would have two homes, and a restart would bring back the older one
      notShared: 'the engine keeps the state of all replicas across restarts',
    },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly state: typeof stateSettings;
  }
}

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
  load: async issuer => (await import('./operations.ts')).movedState(issuer),
  operations: async () => (await import('./operations.ts')).stateOperations,
  commands: [['state', 'exports and imports what a running sandbox remembers', () => import('./state-command.ts')]],
};
