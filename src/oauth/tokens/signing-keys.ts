import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

/** A key pair this server signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** As published (RFC 7517 §4): `kid`, `alg` and `use`, no private member. */
  readonly publicJwk: JWK;
}

/** The keys of one issuer, one for each algorithm. Making them has begun when this exists; nobody waits before they ask. */
export interface SigningKeys {
  readonly algs: readonly string[];
  forAlg(alg: string): Promise<SigningKey>;
  /** By `kid`, for verification. */
  find(kid: string | undefined): Promise<SigningKey | undefined>;
  /** The JWK Set (RFC 7517 §5). */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
}

/** Asymmetric algorithms a sandbox may sign with (RFC 7518 §3.1, RFC 8037, RFC 9864). */
export const signingAlgs = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

export interface SigningKeyOptions {
  /** Algorithms that must have a key. */
  readonly algs: readonly string[];
  /** Private keys to use; what they do not cover is generated. */
  readonly jwks?: readonly JWK[];
  /** Key pairs somebody has begun to make already. */
  readonly begun?: ReadonlyMap<string, Promise<SigningKey>>;
}

export function createSigningKeys({ algs, jwks = [], begun = new Map() }: SigningKeyOptions): SigningKeys {
  const given = new Map(jwks.map(jwk => [jwk.alg ?? 'RS256', importSigningKey(jwk)]));
  const keys = new Map<string, Promise<SigningKey>>(given);
  for (const alg of algs) if (!keys.has(alg)) keys.set(alg, begun.get(alg) ?? generateSigningKey(alg));
  for (const key of keys.values()) key.catch(() => {}); // whoever asks for the key is told

  const all = () => Promise.all(keys.values());
  return {
    algs: [...keys.keys()],
    async forAlg(alg) {
      const key = keys.get(alg);
      if (key === undefined) throw new Error(`there is no key for ${alg}`);
      return key;
    },
    find: async kid => (await all()).find(key => key.kid === kid),
    jwks: async () => ({ keys: (await all()).map(key => key.publicJwk) }),
  };
}

/** A fresh key pair, made on the thread pool. RSA keys have 2048 bits. */
export async function generateSigningKey(alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  return signingKey(alg, privateKey, publicKey);
}

async function importSigningKey(jwk: JWK): Promise<SigningKey> {
  const alg = jwk.alg ?? 'RS256';
  const { d, p, q, dp, dq, qi, key_ops, use, ...publicMembers } = jwk as JWK & Record<string, unknown>;
  const privateKey = (await importJWK({ ...publicMembers, d, p, q, dp, dq, qi } as JWK, alg)) as CryptoKey;
  const publicKey = (await importJWK({ ...publicMembers, ext: true } as JWK, alg)) as CryptoKey;
  return signingKey(alg, privateKey, publicKey, jwk.kid);
}

/** Generated keys are named so that nobody takes them for a real server's. */
async function signingKey(alg: string, privateKey: CryptoKey, publicKey: CryptoKey, kid?: string): Promise<SigningKey> {
  const jwk = await exportJWK(publicKey);
  const name = kid ?? `grantbox-${(await calculateJwkThumbprint(jwk)).slice(0, 12)}`;
  return { kid: name, alg, privateKey, publicKey, publicJwk: { ...jwk, kid: name, alg, use: 'sig' } };
}
