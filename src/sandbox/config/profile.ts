import type { ConfigProblem } from './problem.ts';
import { fapiDefault } from './profile-defaults.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** FAPI 2.0 Security Profile §5.4.1. */
const fapiAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

interface Reading {
  readonly values: SettingValues;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Under the profile fapi2 the default algorithm is one that the profile allows. A forbidden one that was set is a
 * problem.
 */
export function underFapi({ values, problems }: Reading, sources: SettingSources): Reading {
  const found = [...problems, ...tooLong(sources), ...withoutPar(sources)];
  const alg = readSetting('signingAlg', sources);
  if (alg.source === undefined) return { values: { ...values, signingAlg: fapiDefault }, problems: found };
  if (fapiAlgs.includes(alg.value)) return { values, problems: found };
  const expected = `${fapiAlgs.join(', ')}, under the profile fapi2`;
  return { values, problems: [...found, { source: alg.source, value: JSON.stringify(alg.value), expected }] };
}

/** FAPI 2.0 Security Profile §5.3.2.1 and §5.3.2.2, in seconds; the second is to be less than ten minutes. */
const longest = { codeLifetime: 60, pushedRequestLifetime: 599 } as const;

/** Lifetimes that the profile does not allow. The defaults are allowed. */
function tooLong(sources: SettingSources): ConfigProblem[] {
  return (['codeLifetime', 'pushedRequestLifetime'] as const).flatMap(name => {
    const { value, source } = readSetting(name, sources);
    if (source === undefined || value <= longest[name]) return [];
    return [{ source, value: `${value}`, expected: `at most ${longest[name]} seconds, under the profile fapi2` }];
  });
}

/** FAPI 2.0 Security Profile §5.3.2.2: every request is pushed, so the endpoint must be on. */
function withoutPar(sources: SettingSources): ConfigProblem[] {
  const { value, source } = readSetting('features', sources);
  if (source === undefined || value.par !== false) return [];
  return [{ source, value: 'par off', expected: 'par on, under the profile fapi2' }];
}
