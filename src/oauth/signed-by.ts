import { compactVerify, importJWK } from 'jose';
import type { Jwk } from './clients/client.ts';

/** Whether a key verifies a JWT by that algorithm; not where it cannot be used: it is somebody else's, and may be anything. */
export async function isSignedBy(jwt: string, jwk: Jwk, alg: string): Promise<boolean> {
  try {
    await compactVerify(jwt, await importJWK({ ...jwk }, alg), { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
