import { filePath, listOf } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

export const importSettings = {
  /** Files or folders with exports of other providers; their clients and users are added. Default: none. */
  import: setting(
    listOf(filePath, 'paths, separated by commas', 'list of paths', /\s*,\s*/),
    [],
    'Exports of other providers, such as Keycloak: files or folders with clients and users to add',
    { defaultText: 'none', isWhole: true },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly import: typeof importSettings;
  }
}
