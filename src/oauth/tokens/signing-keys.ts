import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { randomId } from '../random.ts';
import { algorithmOf } from './algorithms.ts';

/** A key pair this server signs with. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** As published (RFC 7517 §4): `kid`, `alg` and `use`, no private member. */
  readonly publicJwk: PublicJwk;
}

export interface PublicJwk extends JsonWebKey {
  readonly kid: string;
  readonly alg: string;
  readonly use: 'sig';
}

/** A private JWK as a keys file has it. */
export type PrivateJwk = JsonWebKey & { readonly alg?: string; readonly kid?: string };

/** The keys of one issuer, one for each algorithm. Making them has begun when this exists; nobody waits before they ask. */
export interface SigningKeys {
  readonly algs: readonly string[];
  forAlg(alg: string): Promise<SigningKey>;
  /** By `kid`, for verification. */
  find(kid: string | undefined): Promise<SigningKey | undefined>;
  /** The JWK Set (RFC 7517 §5). */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>;
}

export interface SigningKeyOptions {
  /** Algorithms that must have a key. */
  readonly algs: readonly string[];
  /** Private keys to use; what they do not cover is generated. */
  readonly jwks?: readonly PrivateJwk[];
  /** Key pairs somebody has begun to make already. */
  readonly begun?: ReadonlyMap<string, Promise<SigningKey>>;
}

export function createSigningKeys({ algs, jwks = [], begun = new Map() }: SigningKeyOptions): SigningKeys {
  const keys = new Map(jwks.map(jwk => [jwk.alg ?? 'RS256', Promise.resolve(importSigningKey(jwk))]));
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

/**
 * A fresh key pair, made on the thread pool; RSA keys have 2048 bits. Its `kid` says where it is from, so that nobody takes
 * it for a real server's.
 */
export async function generateSigningKey(alg: string): Promise<SigningKey> {
  const key = createPrivateKey({ key: await generatePrivateKey(alg), type: 'pkcs8', format: 'der' });
  return signingKey(alg, key, `grantbox-${randomId().slice(0, 8)}`);
}

/** As DER, because exporting a generated key object as JWK can hang on Node 20. */
function generatePrivateKey(alg: string): Promise<Buffer> {
  const { keyType, namedCurve } = algorithmOf(alg);
  const options = {
    modulusLength: 2048,
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: unknown, privateKey: Buffer) =>
      error ? reject(error) : resolve(privateKey);
    // Node's overloads want the type as a literal; the table above keeps type and options together
    (generateKeyPair as (type: string, options: object, callback: typeof done) => void)(keyType, options, done);
  });
}

function importSigningKey(jwk: PrivateJwk): SigningKey {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return signingKey(jwk.alg ?? 'RS256', key, jwk.kid ?? `grantbox-${randomId().slice(0, 8)}`);
}

function signingKey(alg: string, privateKey: KeyObject, kid: string): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } as const;
  return { kid, alg, privateKey, publicKey, publicJwk };
}
