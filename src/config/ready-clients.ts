import { readyClients, readyTrustedIssuers } from '../catalogue/ready-clients.ts';
import type { Located } from './documents.ts';
import { grantsOf } from './entry-defaults.ts';
import { catalogueDocument, type RegistrationEntries } from './registration.ts';
import type { ClientEntry } from './sandbox-config.ts';
import type { SettingValues } from './settings.ts';
import { mutualTlsFindings } from './tls.ts';
import { unmetDemandsOf } from './unmet-demands.ts';

export interface EntriesWithCatalogue {
  readonly entries: RegistrationEntries;
  /** The ids of ready clients that a client of the user's own took the place of. */
  readonly replaced: readonly string[];
}

/**
 * The entries with the clients of the catalogue after the user's own. A client with the same id wins over a ready one. A ready
 * client that the settings leave no use for is left out: it would stop the start, or switch on what OAuth 2.1 removed.
 */
export function withCatalogue(entries: RegistrationEntries, values: SettingValues): EntriesWithCatalogue {
  const own = new Set(entries.clients.map(({ raw }) => (raw as Partial<ClientEntry> | null)?.client_id));
  const offered = readyClients.map(({ settings }) => settings).filter(settings => isOffered(settings, values));
  const added = offered.filter(({ client_id }) => !own.has(client_id));
  const known = new Set(entries.trustedIssuers.map(({ name }) => name));
  const issuers = Object.entries(readyTrustedIssuers).filter(([name]) => !known.has(name));
  return {
    entries: {
      ...entries,
      clients: [...entries.clients, ...added.map((raw, index) => located(['clients', index], raw))],
      trustedIssuers: [
        ...entries.trustedIssuers,
        ...issuers.map(([name, raw]) => ({ name, ...located(['trustedIssuers', name], raw) })),
      ],
    },
    replaced: offered.filter(settings => !added.includes(settings)).map(({ client_id }) => client_id),
  };
}

function located(path: Located['path'], raw: unknown): Located {
  return { document: catalogueDocument, path, raw };
}

function isOffered(client: ClientEntry, values: SettingValues): boolean {
  const { features, tls, tlsCert } = values;
  const hasCertificates = (tls !== 'off' || tlsCert !== undefined) && features.mtls !== false;
  if (!hasCertificates && mutualTlsFindings(client).length > 0) return false;
  if (unmetDemandsOf(client, feature => features[feature] === false).length > 0) return false;
  return (['password', 'implicit'] as const).every(
    legacy => features[legacy] === true || !grantsOf(client).includes(legacy),
  );
}
