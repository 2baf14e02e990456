import { constants, type SigningOptions } from 'node:crypto';

/** How a key pair for an algorithm is made, and how it signs. */
export interface Algorithm {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly namedCurve?: string;
  /** Null where the key alone says it. */
  readonly digest: string | null;
  readonly options?: SigningOptions;
}

/** ECDSA signatures are R and S one after the other, not DER (RFC 7518 §3.4). */
const p1363: SigningOptions = { dsaEncoding: 'ieee-p1363' };
const pss = (bits: number): SigningOptions => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: bits / 8 });

/** The algorithms a sandbox may sign with (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2): asymmetric ones only. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { keyType: 'rsa', digest: 'sha256' },
  RS384: { keyType: 'rsa', digest: 'sha384' },
  RS512: { keyType: 'rsa', digest: 'sha512' },
  PS256: { keyType: 'rsa', digest: 'sha256', options: pss(256) },
  PS384: { keyType: 'rsa', digest: 'sha384', options: pss(384) },
  PS512: { keyType: 'rsa', digest: 'sha512', options: pss(512) },
  ES256: { keyType: 'ec', namedCurve: 'P-256', digest: 'sha256', options: p1363 },
  ES384: { keyType: 'ec', namedCurve: 'P-384', digest: 'sha384', options: p1363 },
  ES512: { keyType: 'ec', namedCurve: 'P-521', digest: 'sha512', options: p1363 },
  EdDSA: { keyType: 'ed25519', digest: null },
  Ed25519: { keyType: 'ed25519', digest: null },
};

export const signingAlgs: readonly string[] = Object.keys(algorithms);

/** @throws for an algorithm that configuration should have refused */
export function algorithmOf(alg: string): Algorithm {
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined;
  if (algorithm === undefined) throw new Error(`${alg} is not a signing algorithm`);
  return algorithm;
}
