import type { WithPages } from '../../dashboard/desk.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { type IssuerCatalogue, catalogue as readyCatalogue } from './issuer-catalogue.ts';
import { catalogueSettings } from './settings.ts';

const isOn = (values: object) => ownSettings<typeof catalogueSettings>(values).catalogue;

/** Ready clients, one for each grant and each client authentication method. */
export const catalogue: Extension<IssuerCatalogue> & WithPages<IssuerCatalogue> = {
  name: 'catalogue',
  settings: { Registration: catalogueSettings },
  async entries(own, values) {
    return isOn(values) ? (await import('./added-entries.ts')).addedEntries(own, values) : undefined;
  },
  load: async ({ config }) => ({
    isOn: () => isOn(config),
    replaced: () => config.readyClients.replaced,
    read: readyCatalogue.get,
  }),
  pages: [
    {
      path: '/dashboard/catalogue',
      linkedFrom: [{ page: 'clients', name: 'Catalogue of clients' }],
      async routes(router, desk, running) {
        (await import('./pages/catalogue-pages.ts')).cataloguePages(router, desk, await running());
      },
    },
  ],
};
