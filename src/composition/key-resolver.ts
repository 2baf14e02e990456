import { type CryptoKey, importJWK } from 'jose';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';

/**
 * What the sample backend verifies with: the keys of our JWK Set, by `kid`, exactly as published. It is in this process, so
 * nothing is fetched.
 */
export function createKeyResolver({
  keys,
}: AuthorizationServer): (header: { kid?: string }) => Promise<CryptoKey | undefined> {
  const imported = new Map<string, Promise<CryptoKey>>();

  async function resolve(kid: string): Promise<CryptoKey | undefined> {
    const jwk = (await keys.jwks()).keys.find(key => key.kid === kid);
    if (jwk === undefined) return undefined;
    const key = importJWK({ ...jwk }, jwk.alg) as Promise<CryptoKey>;
    imported.set(kid, key);
    return key;
  }

  return async ({ kid }) => (kid === undefined ? undefined : (imported.get(kid) ?? resolve(kid)));
}
