import { urlOf } from './own-url.ts';
import type { ConfigProblem } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** Problems of the back-channel URL. Only the `Host` of a request tells it apart from the public URL. */
export function backchannelProblems(sources: SettingSources, values: SettingValues, isHttps: boolean): ConfigProblem[] {
  const { backchannelUrl } = values;
  if (backchannelUrl === undefined) return [];
  const { source = '' } = readSetting('backchannelUrl', sources);
  const problem = (expected: string) => [{ source, value: JSON.stringify(backchannelUrl), expected }];
  const { host, origin, protocol } = new URL(backchannelUrl);
  if (isHttps && protocol === 'http:') return problem('an https URL, because this sandbox speaks HTTPS');
  // as it will be; with port 0 the real port is not known yet
  const issuer = new URL(values.issuer ?? urlOf(isHttps, values.host, values.port));
  if (host !== issuer.host || origin === issuer.origin) return [];
  return problem(
    `a host or port that differs from the issuer's, ${issuer.host}: a request does not tell http from https`,
  );
}
