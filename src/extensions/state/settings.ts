import { filePath } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

export const stateSettings = {
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
