import type { WithPages } from '../../dashboard/page.ts';
import { onOff } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import type { IssuerCatalogue } from './catalogue-pages.ts';

const settings = {
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
    readonly catalogue: typeof settings;
  }
}

const isOn = (values: object) => ownSettings<typeof settings>(values).catalogue;

/** Ready clients, one for each grant and each client authentication method. */
export const catalogue: Extension<IssuerCatalogue> & WithPages<IssuerCatalogue> = {
  name: 'catalogue',
  settings: { Registration: settings },
  async entries(own, values) {
    return isOn(values) ? (await import('./added-entries.ts')).addedEntries(own, values) : undefined;
  },
  load: async ({ config }) => ({ isOn: () => isOn(config), replaced: () => config.readyClients.replaced }),
  pages: [
    {
      path: '/dashboard/catalogue',
      linkedFrom: [{ page: 'clients', name: 'Catalogue of clients' }],
      routes: async (router, context, running) =>
        (await import('./catalogue-pages.ts')).cataloguePages(router, context, await running()),
    },
  ],
};
