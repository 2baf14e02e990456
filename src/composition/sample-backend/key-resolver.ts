import { type CryptoKey, importJWK } from 'jose';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';

/**
 * What the sample backend verifies with: the keys of our JWK Set, by `kid`, exactly as published. It is in this process, so
 * nothing is fetched.
 */
export function createKeyResolver({
  keys,
}: AuthorizationServer): (header: { kid?: string }) => Promise<CryptoKey | undefined> {
  const imported = new Map<string, Promise<CryptoKey>>();
  let revision = '';

  async function resolve(kid: string): Promise<CryptoKey | undefined> {
    const jwk = (await keys.jwks()).keys.find(key => key.kid === kid);
    if (jwk === undefined) return undefined;
    const key = importJWK({ ...jwk }, jwk.alg) as Promise<CryptoKey>;
    imported.set(kid, key);
    return key;
  }

  return async ({ kid }) => {
    const published = keys.revision();
    if (published !== revision) imported.clear(); // what is no longer published is no longer believed
    revision = published;
    return kid === undefined ? undefined : (imported.get(kid) ?? resolve(kid));
  };
}
