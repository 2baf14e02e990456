import type { Located } from './documents.ts';
import type { ConfigProblem } from './problem.ts';
import { isShipped, type RegistrationEntries } from './registration.ts';
import type { SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** The built-in file and the catalogue are not checked at every start: a test does that. */
export async function checkEntries(
  entries: RegistrationEntries,
  sources: SettingSources,
  values: SettingValues,
): Promise<readonly ConfigProblem[]> {
  const { offeredScopes: _, ...located } = entries;
  const all: readonly Located[] = Object.values(located).flat();
  const isBuiltIn = all.every(entry => isShipped(entry) && entry.replaced === undefined);
  if (isBuiltIn && values.autoLogin === undefined) return [];
  const { checkRegistration } = await import('./client/check-registration.ts');
  return checkRegistration(entries, sources, values);
}
