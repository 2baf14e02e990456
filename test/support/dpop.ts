import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

/** A key that proofs are made with. */
export interface DpopKey {
  readonly jkt: string;
  /** What belongs in no proof. */
  readonly privateJwk: JWK;
  /** A proof; `changes` replace claims, undefined takes one away. */
  proof(
    claims: { htm?: string; htu: string; iat: number; accessToken?: string; nonce?: string },
    changes?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
}

/** Makes proofs with jose, which is not what checks them all. */
export async function createDpopKey(alg = 'ES256'): Promise<DpopKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    jkt: await calculateJwkThumbprint(jwk, 'sha256'),
    privateJwk: await exportJWK(privateKey),
    proof({ htm = 'POST', htu, iat, accessToken, nonce }, changes = {}, header = {}) {
      const ath =
        accessToken === undefined ? {} : { ath: createHash('sha256').update(accessToken).digest('base64url') };
      const claims = {
        htm,
        htu,
        iat,
        jti: randomUUID(),
        ...ath,
        ...(nonce === undefined ? {} : { nonce }),
        ...changes,
      };
      const payload = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
      return new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk, ...header })
        .sign(privateKey);
    },
  };
}
