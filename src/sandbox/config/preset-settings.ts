import { chosenOf, type ProviderTraits } from './provider-traits.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

type PresetSettings = NonNullable<ProviderTraits['settings']>;

/** Values that a preset gives to settings that nobody has set. */
export function presetSettings({ preset }: SettingValues, sources: SettingSources): PresetSettings {
  const own: PresetSettings = chosenOf(sources.providers, preset)?.settings ?? {};
  const isUnset = (name: string) => readSetting(name as keyof PresetSettings, sources).source === undefined; // a key of `own`
  return Object.fromEntries(Object.entries(own).filter(([name]) => isUnset(name)));
}
