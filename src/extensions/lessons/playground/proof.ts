import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { defined } from '../../../base/defined.ts';

/** The key of an app, made for one state. */
export type ProofKey = Awaited<ReturnType<typeof generateKeyPair>>;

export function newProofKey(): Promise<ProofKey> {
  return generateKeyPair('ES256');
}

interface Proven {
  readonly method: string;
  /** Without query. */
  readonly url: string;
  /** Unix seconds. */
  readonly now: number;
  /** The access token that the proof belongs to; absent at the token endpoint. */
  readonly token?: string;
  /** The nonce of an earlier answer (RFC 9449 §8). */
  readonly nonce?: string;
}

/** A DPoP proof (RFC 9449 §4.2). */
export async function makeProof(key: ProofKey, { method, url, now, token, nonce }: Proven): Promise<string> {
  const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') };
  return new SignJWT({ htm: method, htu: url, jti: randomUUID(), ...ath, ...defined({ nonce }) })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(key.publicKey) })
    .setIssuedAt(now)
    .sign(key.privateKey);
}
