import type { ConfigProblem } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** Faults of the back-channel URL beside the public one: only the `Host` of a request tells the two apart. */
export function backchannelProblems(sources: SettingSources, values: SettingValues, isHttps: boolean): ConfigProblem[] {
  const { backchannelUrl } = values;
  if (backchannelUrl === undefined) return [];
  const { source = '' } = readSetting('backchannelUrl', sources);
  const problem = (expected: string) => [{ source, value: JSON.stringify(backchannelUrl), expected }];
  const { host, origin, protocol } = new URL(backchannelUrl);
  if (isHttps && protocol === 'http:') return problem('an https URL, because this sandbox speaks HTTPS');
  const issuer = new URL(issuerOf(values, isHttps));
  if (host !== issuer.host || origin === issuer.origin) return [];
  return problem(`another host or port than the issuer's, ${issuer.host}: requests do not say http or https`);
}

/** As it will be; with a free port nobody knows yet, and the host alone is compared with nothing. */
function issuerOf({ issuer, host, port }: SettingValues, isHttps: boolean): string {
  const isEveryAddress = host === '0.0.0.0' || host === '::';
  const name = isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return issuer ?? `${isHttps ? 'https' : 'http'}://${name}:${port}`;
}
