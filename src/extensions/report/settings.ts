import { filePath } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

export const reportSettings = {
  /** A folder that the client report is written to at the stop, as HTML, JSON and JUnit XML. Default: none. */
  reportDir: setting(
    filePath,
    undefined,
    'Folder for the client report (HTML, JSON, JUnit) and the recorded session (HTML, HAR), written when the server stops',
    { defaultText: 'none', isWhole: true, isPath: true },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly report: typeof reportSettings;
  }
}
