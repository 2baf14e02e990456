import { isRecord } from '../../base/text/record.ts';
import { type Feature, legacyFeatures } from '../../protocol/feature.ts';
import { checkClients, type Located } from './documents.ts';
import type { ConfigProblem, Finding } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/**
 * Demands that cannot be met because a feature is off: no client could get a token, or only a weaker one than demanded.
 */
export function unmetDemands(
  sources: SettingSources,
  values: SettingValues,
  clients: readonly Located[],
  { isHttps }: { readonly isHttps: boolean },
): ConfigProblem[] {
  return [
    ...unmetBySwitches(sources, values, isHttps),
    ...unmetByToken(sources, values),
    ...unmetByPreset(sources, values),
    ...checkClients(clients, raw => unmetDemandsOf(raw, feature => values.features[feature] === false)),
  ];
}

function unmetBySwitches(
  sources: SettingSources,
  { features, profile, requireSignedRequests, dpopNonce }: SettingValues,
  isHttps: boolean,
): ConfigProblem[] {
  const { source = '' } = readSetting('features', sources);
  const isFapi = profile === 'fapi2';
  const unless = (isSo: boolean, feature: Feature, state: 'on' | 'off', why: string): ConfigProblem[] => {
    if (!isSo || features[feature] !== (state === 'off')) return [];
    return [{ source, value: `${feature}=${state === 'on' ? 'off' : 'on'}`, expected: `${feature}=${state}: ${why}` }];
  };
  const hasCertificates = isHttps && features.mtls !== false;
  return [
    ...unless(
      isFapi && !hasCertificates,
      'dpop',
      'on',
      'the profile fapi2 has no bearer tokens, and mutual TLS is off',
    ),
    ...unless(requireSignedRequests, 'jar', 'on', 'REQUIRE_SIGNED_REQUESTS needs signed request objects'),
    ...unless(dpopNonce, 'dpop', 'on', 'DPOP_NONCE needs DPoP proofs'),
    ...unless(!isHttps, 'mtls', 'off', 'mutual TLS needs HTTPS: TLS=self-signed, or TLS_CERT and TLS_KEY'),
    ...legacyFeatures.flatMap(legacy => unless(isFapi, legacy, 'off', 'the profile fapi2 does not allow it')),
  ];
}

/** The path of an issuer of a preset is that of the provider. */
function unmetByPreset(sources: SettingSources, { anyIssuer, preset }: SettingValues): ConfigProblem[] {
  if (!anyIssuer || preset === undefined) return [];
  const { source = '' } = readSetting('anyIssuer', sources);
  return [{ source, value: 'on', expected: `off with PRESET=${preset.name}, which decides the path of an issuer` }];
}

/** Without a token nobody could register; `off` says that plainly. */
function unmetByToken(
  sources: SettingSources,
  { registration, registrationToken, features }: SettingValues,
): ConfigProblem[] {
  if (registration !== 'token' || registrationToken !== undefined || features.registration === false) return [];
  const { source = '' } = readSetting('registration', sources);
  return [{ source, value: '"token"', expected: 'a token as well: set REGISTRATION_TOKEN or registrationToken' }];
}

const clientDemands = [
  ['require_pushed_authorization_requests', 'par'],
  ['require_signed_request_object', 'jar'],
  ['backchannel_authentication_request_signing_alg', 'jar'],
  ['dpop_bound_access_tokens', 'dpop'],
] as const satisfies readonly (readonly [string, Feature])[];

/** Demands of an entry of `clients` for features that are off. */
export function unmetDemandsOf(raw: unknown, isOff: (feature: Feature) => boolean): Finding[] {
  if (!isRecord(raw)) return [];
  return clientDemands.flatMap(([member, feature]) => {
    const value = raw[member];
    if (value === undefined || value === false || !isOff(feature)) return [];
    return [{ path: [member], value, expected: `the feature ${feature}, which is off` }];
  });
}
