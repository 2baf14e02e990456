import { isRecord } from '../../base/text/record.ts';
import { checkClients, type Located } from './documents.ts';
import type { ConfigProblem, Finding } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';
import type { TlsReading } from './tls-files.ts';

/**
 * Reads the TLS settings, or lists their problems. Loads the certificate parser only where certificates are configured.
 */
export async function readTls(
  sources: SettingSources,
  values: SettingValues,
  clients: readonly Located[],
  cwd?: string,
): Promise<TlsReading> {
  const { tls, tlsCert, tlsKey, tlsClientCa } = values;
  const files = [tlsCert, tlsKey, tlsClientCa].filter(file => file !== undefined);
  const isOff = tls === 'off' && files.length === 0;
  const isWithout = isOff || values.features.mtls === false;
  const lacking = isWithout ? checkClients(clients, mutualTlsFindings) : [];
  if (isOff) return { problems: lacking };
  const { readTlsFiles } = await import('./tls-files.ts');
  const { problems, ...reading } = readTlsFiles(sources, values, cwd);
  return { ...reading, problems: [...problems, ...lacking, ...issuerProblems(sources, values)] };
}

/** Members of an entry of `clients` that need HTTPS and the feature `mtls`. */
export function mutualTlsFindings(raw: unknown): Finding[] {
  if (!isRecord(raw)) return [];
  const { token_endpoint_auth_method: one, token_endpoint_auth_methods: several } = raw;
  const expected = 'HTTPS and the feature mtls as well: set TLS=self-signed, or TLS_CERT and TLS_KEY';
  const finding = (member: string, value: unknown) => ({ path: [member], value, expected });
  const method = (Array.isArray(several) ? several : []).find(isTlsMethod);
  return [
    ...(isTlsMethod(one) ? [finding('token_endpoint_auth_method', one)] : []),
    ...(method === undefined ? [] : [finding('token_endpoint_auth_methods', method)]),
    ...(raw.tls_client_certificate_bound_access_tokens === true
      ? [finding('tls_client_certificate_bound_access_tokens', true)]
      : []),
  ];
}

function isTlsMethod(method: unknown): boolean {
  return method === 'tls_client_auth' || method === 'self_signed_tls_client_auth';
}

/** Every URL in the metadata begins with the issuer, so an http issuer would make them all unreachable. */
function issuerProblems(sources: SettingSources, { issuer }: SettingValues): ConfigProblem[] {
  if (issuer === undefined || issuer.startsWith('https:')) return [];
  const { source = '' } = readSetting('issuer', sources);
  return [{ source, value: JSON.stringify(issuer), expected: 'an https URL, because this sandbox speaks HTTPS' }];
}
