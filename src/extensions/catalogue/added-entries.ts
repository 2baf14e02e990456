import type { Located } from '../../sandbox/config/documents.ts';
import type { AddedEntries, RegistrationEntries } from '../../sandbox/config/registration.ts';
import type { ClientEntry } from '../../sandbox/config/sandbox-config.ts';
import type { SettingValues } from '../../sandbox/config/settings.ts';
import type { ReadyClient } from './ready-client.ts';
import { readyClients, readyTrustedIssuers } from './ready-clients.ts';

/**
 * The clients of the catalogue. A user's client wins over one with the same id. A client that the settings make unusable is
 * left out: it would stop the start, or switch on features that OAuth 2.1 removed.
 */
export async function addedEntries(own: RegistrationEntries, values: SettingValues): Promise<AddedEntries> {
  const ids = new Set(own.clients.map(({ raw }) => (raw as Partial<ClientEntry> | null)?.client_id));
  const offered = await offeredClients(readyClients, values);
  const known = new Set(own.trustedIssuers.map(({ name }) => name));
  const issuers = Object.entries(readyTrustedIssuers).filter(([name]) => !known.has(name));
  return {
    clients: offered
      .filter(({ client_id }) => !ids.has(client_id))
      .map((raw, index) => located(['clients', index], raw)),
    trustedIssuers: issuers.map(([name, raw]) => ({ name, ...located(['trustedIssuers', name], raw) })),
    replaced: offered.map(({ client_id }) => client_id).filter(id => ids.has(id)),
  };
}

function located(path: Located['path'], raw: unknown): Located {
  return { document: 'catalogue', path, raw, isShipped: true };
}

async function offeredClients(all: readonly ReadyClient[], values: SettingValues): Promise<readonly ClientEntry[]> {
  const { features, profile } = values;
  const offered = all.map(({ settings }) => settings).filter(settings => isOffered(settings, values));
  const allowed = profile === 'fapi2' ? offered.filter(isAllowedByFapi) : offered;
  if (!Object.values(features).includes(false)) return allowed; // loaded only if a feature is switched off
  const { unmetDemandsOf } = await import('../../sandbox/config/unmet-demands.ts');
  return allowed.filter(settings => unmetDemandsOf(settings, feature => features[feature] === false).length === 0);
}

/**
 * Clients with certificates need HTTPS. Clients of removed grants need the feature of the grant to be switched on by
 * name.
 */
function isOffered(client: ClientEntry, { features, tls, tlsCert }: SettingValues): boolean {
  const hasCertificates = (tls !== 'off' || tlsCert !== undefined) && features.mtls !== false;
  if (isByCertificate(client) && !hasCertificates) return false;
  return (['password', 'implicit'] as const).every(
    legacy => features[legacy] === true || client.grant_types?.includes(legacy) !== true,
  );
}

function isByCertificate({ token_endpoint_auth_method: method }: ClientEntry): boolean {
  return method?.endsWith('tls_client_auth') === true;
}

/** FAPI 2.0 Security Profile §5.3.2.1, §5.4.1: no secrets, no public clients, no RS256. */
function isAllowedByFapi(client: ClientEntry): boolean {
  return isByCertificate(client) || client.token_endpoint_auth_signing_alg === 'PS256';
}
