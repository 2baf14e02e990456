import { compactVerify, errors } from 'jose';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import type { JwsHeader } from './jws.ts';

/**
 * The asymmetric algorithms that jose verifies (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2; ML-DSA from Node 24 on),
 * each with the one kind of key it works with, see `kindOf`. `none` and HMAC are left out on purpose.
 */
const kinds: ReadonlyMap<string, string> = new Map([
  ...[256, 384, 512].flatMap((bits): [string, string][] => [
    [`RS${bits}`, `RSASSA-PKCS1-v1_5 SHA-${bits}`],
    [`PS${bits}`, `RSA-PSS SHA-${bits}`],
  ]),
  ['ES256', 'ECDSA P-256'],
  ['ES384', 'ECDSA P-384'],
  ['ES512', 'ECDSA P-521'],
  ['EdDSA', 'Ed25519'],
  ['Ed25519', 'Ed25519'],
  ['ML-DSA-44', 'ML-DSA-44'],
  ['ML-DSA-65', 'ML-DSA-65'],
  ['ML-DSA-87', 'ML-DSA-87'],
]);

export const asymmetricAlgorithms: readonly string[] = [...kinds.keys()];

/** Throws `invalid_token` unless this key signed the token with the algorithm in its header. */
export async function checkSignature(token: string, { alg, kid }: JwsHeader, key: CryptoKey): Promise<void> {
  const kind = kindOf(key);
  if (kinds.get(alg) !== kind) {
    throw invalidToken(
      'key_for_another_alg',
      `the key with kid ${describe(kid)} is for ${algorithmsOf(kind)}; alg in the header is ${describe(alg)}`,
      { sent: `alg ${asSent('alg', alg)}`, expected: `alg ${algorithmsOf(kind)}` },
    );
  }
  try {
    await compactVerify(token, key, { algorithms: [alg] });
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    throw invalidToken(
      'signature_invalid',
      `the signature does not match: the token was changed, or its key is not kid ${describe(kid)}`,
      {
        sent: 'a signature that does not match the header and payload',
        expected: `the ${alg} signature of the key with kid ${asSent('kid', kid)}`,
      },
    );
  }
}

/** Name and hash, or name and curve: a CryptoKey carries the algorithm its JWK was for, so an RS256 key cannot serve PS256. */
function kindOf({ algorithm }: CryptoKey): string {
  const { name, hash, namedCurve }: KeyAlgorithm & { hash?: KeyAlgorithm; namedCurve?: string } = algorithm;
  const detail = hash?.name ?? namedCurve;
  return detail === undefined ? name : `${name} ${detail}`;
}

function algorithmsOf(kind: string): string {
  return (
    asymmetricAlgorithms.filter(alg => kinds.get(alg) === kind).join(' or ') || 'none of the algorithms allowed here'
  );
}

/** Finds the issuer's public key by `kid`; `undefined` if it is unknown. jose's `createRemoteJWKSet(url)` fits, too. */
export type KeyResolver = (header: { kid?: string; alg?: string }) => Promise<CryptoKey | undefined>;
