import type { WithCommands } from '../../client/cli/command.ts';
import { readOwn } from '../../sandbox/config/setting-values.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { importSettings } from './settings.ts';

/** Exports of other providers as configuration. */
export const imports: Extension<undefined> & WithCommands = {
  name: 'import',
  settings: { Registration: importSettings },
  async documents(written) {
    if (readOwn(importSettings, 'import', written.sources).value.length === 0) return undefined;
    return (await import('./imports.ts')).importedDocuments(written);
  },
  commands: [
    [
      'import',
      'writes a clients.config.ts from an export of Keycloak, Auth0 and others',
      () => import('./import-command.ts'),
    ],
  ],
};
