import { onOff } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

export const catalogueSettings = {
  /**
   * Adds the ready clients of the catalogue: one for each grant and each client authentication method. Default: false.
   */
  catalogue: setting(
    onOff,
    false,
    'Adds the ready clients of docs/catalogue.md; a client of your own with the same id wins',
    { isLive: true },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly catalogue: typeof catalogueSettings;
  }
}
