import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { parseJson } from './parse-json.ts';
import type { Finding, Path } from './problem.ts';
import { signingAlgs } from './settings.ts';

type Jwk = Readonly<Record<string, unknown>>;

/** `kty` and, where there are several, `crv` that an algorithm needs (RFC 7518 §3.1, RFC 8037 §3.1). */
function keyTypeOf(alg: string): { readonly kty: string; readonly crv?: string } {
  if (alg === 'EdDSA' || alg === 'Ed25519') return { kty: 'OKP', crv: 'Ed25519' };
  if (alg.startsWith('ES')) return { kty: 'EC', crv: { ES256: 'P-256', ES384: 'P-384' }[alg] ?? 'P-521' };
  return { kty: 'RSA' };
}

/** The private keys of a JWK Set file (RFC 7517 §5), or all of its problems. Problems never contain key material. */
export function readKeysFile(path: string, signingAlg: string): { keys: readonly Jwk[]; findings: readonly Finding[] } {
  const json = readText(path);
  if (json === undefined) return refuse('a file that exists and can be read');
  const parsed = parseJson(json);
  if ('problem' in parsed) return refuse(`a JWK Set: ${parsed.problem}`);
  const keys = isRecord(parsed.value) ? parsed.value.keys : undefined;
  if (!Array.isArray(keys) || keys.length === 0)
    return refuse('a JWK Set: {"keys": [ … ]} with at least one key (RFC 7517 §5)');
  const findings = keys.flatMap((key, index) => keyFindings(key, ['keys', index]));
  findings.push(...repeatedKeyIds(keys));
  if (findings.length === 0 && !keys.some(key => key.alg === signingAlg)) {
    findings.push({ path: ['keys'], expected: `a key for the signing algorithm ${signingAlg}` });
  }
  return { keys: findings.length === 0 ? keys : [], findings };
}

function refuse(expected: string): { keys: readonly Jwk[]; findings: readonly Finding[] } {
  return { keys: [], findings: [{ path: [], expected }] };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function keyFindings(key: unknown, path: Path): Finding[] {
  if (!isRecord(key)) return [{ path, expected: 'a JWK, an object' }];
  const { alg, kid } = key;
  const findings: Finding[] = [];
  if (kid !== undefined && (typeof kid !== 'string' || kid === ''))
    findings.push({ path: [...path, 'kid'], value: kid, expected: 'text' });
  if (typeof alg !== 'string' || !signingAlgs.some(known => known === alg)) {
    const nearest = typeof alg === 'string' ? nearestName(alg, signingAlgs) : undefined;
    return [...findings, { path: [...path, 'alg'], value: alg, expected: `one of ${signingAlgs.join(', ')}`, nearest }];
  }
  const { kty, crv } = keyTypeOf(alg);
  if (key.kty !== kty) return [...findings, { path: [...path, 'kty'], value: key.kty, expected: `${kty}, for ${alg}` }];
  if (crv !== undefined && key.crv !== crv) {
    return [...findings, { path: [...path, 'crv'], value: key.crv, expected: `${crv}, for ${alg}` }];
  }
  if (typeof key.d !== 'string')
    return [...findings, { path: [...path, 'd'], expected: 'a private key: this one has no d' }];
  return [...findings, ...materialFindings(key, path)];
}

/** Signs and verifies once, because importing a key does not check it. */
function materialFindings(key: Jwk, path: Path): Finding[] {
  const broken = { path, expected: 'a complete private key: a signature made with this one does not verify' };
  try {
    const privateKey = createPrivateKey({ key, format: 'jwk' });
    const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 2048;
    if (bits < 2048) return [{ path: [...path, 'n'], expected: `2048 bits or more, not ${bits} (RFC 7518 §3.3)` }];
    const hash = key.kty === 'OKP' ? null : 'sha256';
    const data = Buffer.from('grantbox');
    // that of the file, because Node computes the one of an Ed25519 key anew
    const publicKey = createPublicKey({ key, format: 'jwk' });
    return verify(hash, data, publicKey, sign(hash, data, privateKey)) ? [] : [broken];
  } catch {
    return [broken];
  }
}

function repeatedKeyIds(keys: readonly unknown[]): Finding[] {
  const ids = keys.map(key => (isRecord(key) ? key.kid : undefined));
  return ids.flatMap((kid, index) =>
    typeof kid === 'string' && ids.indexOf(kid) < index
      ? [{ path: ['keys', index, 'kid'], value: kid, expected: 'a kid no other key has' }]
      : [],
  );
}
