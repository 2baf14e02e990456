import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { catalogueSettings } from './settings.ts';

const isOn = (values: object) => ownSettings<typeof catalogueSettings>(values).catalogue;

/** Ready clients, one for each grant and each client authentication method. */
export const catalogue: Extension = {
  name: 'catalogue',
  settings: { Registration: catalogueSettings },
  async entries(own, values) {
    return isOn(values) ? (await import('./added-entries.ts')).addedEntries(own, values) : undefined;
  },
};
