import { constants, createPublicKey, KeyObject, type SigningOptions, verify } from 'node:crypto';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import type { DecodedJwt } from './jws.ts';

interface Algorithm {
  /** The one kind of key it goes with, see `kindOf`. */
  readonly kind: string;
  readonly digest: string | null;
  readonly options?: SigningOptions;
}

/** R and S one after the other, as JWS has them (RFC 7518 §3.4), not DER. */
const p1363: SigningOptions = { dsaEncoding: 'ieee-p1363' };

/**
 * The asymmetric algorithms jose signs with (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2; ML-DSA from Node 24 on).
 * No `none` and no HMAC: they are not here to be chosen.
 */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ...[256, 384, 512].flatMap((bits): [string, Algorithm][] => [
    [`RS${bits}`, { kind: `RSASSA-PKCS1-v1_5 SHA-${bits}`, digest: `sha${bits}` }],
    [`PS${bits}`, { kind: `RSA-PSS SHA-${bits}`, digest: `sha${bits}`, options: pssOptions(bits) }],
  ]),
  ['ES256', { kind: 'ECDSA P-256', digest: 'sha256', options: p1363 }],
  ['ES384', { kind: 'ECDSA P-384', digest: 'sha384', options: p1363 }],
  ['ES512', { kind: 'ECDSA P-521', digest: 'sha512', options: p1363 }],
  ['EdDSA', { kind: 'Ed25519', digest: null }],
  ['Ed25519', { kind: 'Ed25519', digest: null }],
  ['ML-DSA-44', { kind: 'ML-DSA-44', digest: null }],
  ['ML-DSA-65', { kind: 'ML-DSA-65', digest: null }],
  ['ML-DSA-87', { kind: 'ML-DSA-87', digest: null }],
]);

export const asymmetricAlgorithms: readonly string[] = [...algorithms.keys()];

function pssOptions(bits: number): SigningOptions {
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 };
}

/** Throws `invalid_token` unless the signature is of this key by this algorithm. */
export type SignatureCheck = (jwt: DecodedJwt, key: CryptoKey) => void;

interface VerificationKey {
  readonly kind: string;
  /** With the options of its algorithm as properties. Absent for a key of no algorithm allowed here. */
  readonly keyObject: KeyObject | undefined;
}

/**
 * A check by the synchronous `crypto.verify`: for RS256 it takes a third of the time of jose's `jwtVerify`, whose
 * WebCrypto goes through the thread pool. Keys are converted once.
 */
export function createSignatureCheck(): SignatureCheck {
  const converted = new WeakMap<CryptoKey, VerificationKey>();

  function convert(key: CryptoKey): VerificationKey {
    const verificationKey = toVerificationKey(key);
    converted.set(key, verificationKey);
    return verificationKey;
  }

  return ({ header, signingInput, signature }, key) => {
    const { kind, keyObject } = converted.get(key) ?? convert(key);
    const algorithm = algorithms.get(header.alg);
    if (keyObject === undefined || algorithm?.kind !== kind) {
      throw invalidToken(
        'key_for_another_alg',
        `the key with kid ${describe(header.kid)} is for ${algorithmsOf(kind)}; alg in the header is ${describe(header.alg)}`,
        { sent: `alg ${asSent('alg', header.alg)}`, expected: `alg ${algorithmsOf(kind)}` },
      );
    }
    if (!verify(algorithm.digest, signingInput, keyObject, signature)) {
      throw invalidToken(
        'signature_invalid',
        `the signature does not match: the token was changed, or signed by another key than kid ${describe(header.kid)}`,
        {
          sent: 'a signature that does not fit header and payload',
          expected: `the ${header.alg} signature of the key with kid ${asSent('kid', header.kid)}`,
        },
      );
    }
  };
}

/**
 * `crypto.verify` reads `padding`, `saltLength` and `dsaEncoding` from the object it is given as key. Around a KeyObject,
 * `{ key, ...options }`, Node 24 first throws and catches two errors inside, at 10 to 30 µs; on the KeyObject itself they
 * cost nothing. It is a copy of our own, because on Node 20 `KeyObject.from` gives everybody the same one.
 */
function toVerificationKey(key: CryptoKey): VerificationKey {
  const kind = kindOf(key);
  const algorithm = [...algorithms.values()].find(candidate => candidate.kind === kind);
  if (algorithm === undefined) return { kind, keyObject: undefined };
  const spki = KeyObject.from(key).export({ format: 'der', type: 'spki' });
  const keyObject = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return { kind, keyObject: Object.assign(keyObject, algorithm.options) };
}

/** Name and hash, or name and curve: a CryptoKey carries the algorithm its JWK was for, so an RS256 key cannot serve PS256. */
function kindOf({ algorithm }: CryptoKey): string {
  const { name, hash, namedCurve }: KeyAlgorithm & { hash?: KeyAlgorithm; namedCurve?: string } = algorithm;
  const detail = hash?.name ?? namedCurve;
  return detail === undefined ? name : `${name} ${detail}`;
}

function algorithmsOf(kind: string): string {
  return (
    asymmetricAlgorithms.filter(alg => algorithms.get(alg)?.kind === kind).join(' or ') ||
    'none of the algorithms allowed here'
  );
}
