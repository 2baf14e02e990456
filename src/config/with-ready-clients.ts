import type { EntriesWithCatalogue } from './ready-clients.ts';
import type { RegistrationEntries } from './registration.ts';
import type { SettingValues } from './settings.ts';

/** Adds the clients of the catalogue where it is on. Most configurations do without: their start does not read it. */
export async function withReadyClients(
  entries: RegistrationEntries,
  values: SettingValues,
): Promise<EntriesWithCatalogue> {
  if (!values.catalogue) return { entries, replaced: [] };
  const { withCatalogue } = await import('./ready-clients.ts');
  return withCatalogue(entries, values);
}
