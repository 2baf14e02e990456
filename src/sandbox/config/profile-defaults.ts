import { readSetting, type SettingReading, type ValueSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** Default signing algorithm of the profile fapi2. */
export const fapiDefault = 'PS256';

/** The algorithm before any file is read: the one given, or the default of the profile. */
export function profiledAlg(alg: SettingReading<SettingValues['signingAlg']>, sources: ValueSources): string {
  const isFapi = readSetting('profile', sources).value === 'fapi2';
  return isFapi && alg.source === undefined ? fapiDefault : alg.value;
}

/**
 * ID tokens are signed with RS256 unless the client registers a different algorithm (OIDC Registration §2) or the
 * profile forbids it.
 */
export function idTokenAlgOf({ profile }: Pick<SettingValues, 'profile'>): string {
  return profile === 'fapi2' ? fapiDefault : 'RS256';
}
