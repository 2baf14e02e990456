import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TlsConfig } from './config.ts';
import { type ConfigProblem, show } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';

/** The TLS settings that were read, and their problems. */
export interface TlsReading {
  /** Absent: plain HTTP. */
  readonly tls?: TlsConfig;
  readonly problems: readonly ConfigProblem[];
}

type FileSetting = 'tlsCert' | 'tlsKey' | 'tlsClientCa';

/** A file that a setting names, and the source of the setting. */
interface NamedFile {
  readonly source: string;
  readonly name: string;
  /** Undefined where it cannot be read. */
  readonly text: string | undefined;
}

/** Reads the TLS settings, or lists their problems. Never shows the contents of a key. */
export function readTlsFiles(sources: SettingSources, values: SettingValues, cwd = '', now = new Date()): TlsReading {
  const file = (name: FileSetting) => readNamed(sources, name, values[name], cwd);
  const [cert, key, clientCa] = [file('tlsCert'), file('tlsKey'), file('tlsClientCa')];
  const problems = [
    ...combinationProblems(values, sources),
    ...(cert === undefined ? [] : fileProblem(cert, text => certificateProblem(text, now))),
    ...(key === undefined ? [] : fileProblem(key, keyProblem)),
    ...(clientCa === undefined ? [] : fileProblem(clientCa, text => authorityProblem(text, now))),
  ];
  if (problems.length > 0) return { problems };
  const authority = clientCa?.text === undefined ? {} : { clientCa: clientCa.text };
  if (values.tls === 'self-signed') return { tls: { kind: 'self-signed', ...authority }, problems };
  if (cert?.text === undefined || key?.text === undefined) return { problems };
  const unlike = fileProblem(key, text => pairProblem(cert.text ?? '', text));
  if (unlike.length > 0) return { problems: unlike };
  return { tls: { kind: 'files', cert: cert.text, key: key.text, ...authority }, problems };
}

function readNamed(
  sources: SettingSources,
  setting: FileSetting,
  name: string | undefined,
  cwd: string,
): NamedFile | undefined {
  if (name === undefined) return undefined;
  const { source = '', folder = cwd } = readSetting(setting, sources);
  try {
    return { source, name, text: readFileSync(resolve(folder, name), 'utf8') };
  } catch {
    return { source, name, text: undefined };
  }
}

/** Certificate and key need each other, and exclude `TLS=self-signed`. */
function combinationProblems(
  { tls, tlsCert, tlsKey, tlsClientCa }: SettingValues,
  sources: SettingSources,
): ConfigProblem[] {
  const sourceOf = (name: FileSetting | 'tls') => readSetting(name, sources).source ?? '';
  if (tls === 'self-signed' && (tlsCert !== undefined || tlsKey !== undefined)) {
    const expected = 'off, because TLS_CERT and TLS_KEY already name a certificate';
    return [{ source: sourceOf('tls'), value: show(tls), expected }];
  }
  if (tlsCert !== undefined && tlsKey === undefined) {
    return [{ source: sourceOf('tlsCert'), expected: 'TLS_KEY as well: the file with the private key' }];
  }
  if (tlsKey !== undefined && tlsCert === undefined) {
    return [{ source: sourceOf('tlsKey'), expected: 'TLS_CERT as well: the file with the certificate' }];
  }
  if (tlsClientCa === undefined || tls === 'self-signed' || tlsCert !== undefined) return [];
  const expected = 'HTTPS as well: set TLS=self-signed, or TLS_CERT and TLS_KEY';
  return [{ source: sourceOf('tlsClientCa'), expected }];
}

function fileProblem(
  { source, name, text }: NamedFile,
  problem: (text: string) => string | undefined,
): ConfigProblem[] {
  const expected = text === undefined ? 'a file that exists and can be read' : problem(text);
  return expected === undefined ? [] : [{ source, value: show(name), expected }];
}

const certificateForm = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Description of the expected certificate chain, up to its CA; undefined for a valid file. */
function certificateProblem(text: string, now: Date): string | undefined {
  const blocks = text.match(certificateForm) ?? [];
  if (blocks.length === 0) return 'a certificate in PEM form: it begins with -----BEGIN CERTIFICATE-----';
  const certificates = blocks.map(parseCertificate);
  const broken = certificates.indexOf(undefined);
  if (broken >= 0) return `certificates that can be read; certificate ${broken + 1} in the file cannot`;
  return certificates[0] === undefined ? undefined : periodProblem(certificates[0], now);
}

function authorityProblem(text: string, now: Date): string | undefined {
  const problem = certificateProblem(text, now);
  if (problem !== undefined) return problem;
  const isAuthority = (text.match(certificateForm) ?? []).every(block => parseCertificate(block)?.ca === true);
  return isAuthority ? undefined : 'certificates of CAs; this certificate may not issue certificates';
}

function parseCertificate(block: string): X509Certificate | undefined {
  try {
    return new X509Certificate(block);
  } catch {
    return undefined;
  }
}

function periodProblem({ validFrom, validTo }: X509Certificate, now: Date): string | undefined {
  if (Date.parse(validTo) <= now.getTime()) return `a certificate that has not expired; this one expired on ${validTo}`;
  if (Date.parse(validFrom) > now.getTime())
    return `a certificate that is already valid; this one is valid from ${validFrom}`;
  return undefined;
}

function keyProblem(text: string): string | undefined {
  try {
    createPrivateKey(text);
    return undefined;
  } catch (error) {
    const isEncrypted = (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE' || /ENCRYPTED/.test(text);
    return isEncrypted ? 'a private key without a passphrase' : 'a private key in PEM form';
  }
}

function pairProblem(cert: string, keyText: string): string | undefined {
  const key: KeyObject = createPrivateKey(keyText);
  if (parseCertificate(cert.match(certificateForm)?.[0] ?? '')?.checkPrivateKey(key) !== true) {
    return 'the private key of the first certificate in TLS_CERT; this key belongs to a different certificate';
  }
  const { modulusLength = 2048 } = key.asymmetricKeyDetails ?? {};
  return modulusLength < 2048 ? `2048 bits or more, not ${modulusLength} (RFC 9325 §4.5)` : undefined;
}
