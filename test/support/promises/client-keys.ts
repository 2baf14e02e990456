import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { compactDecrypt, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import type { Json } from './json.ts';

/** The keys that all clients share, one of each kind. */
export type ClientKeys = Awaited<ReturnType<typeof createClientKeys>>;

type KeyKind = 'rsa' | 'P-256' | 'P-384' | 'P-521' | 'ed25519';

const kinds: readonly KeyKind[] = ['rsa', 'P-256', 'P-384', 'P-521', 'ed25519'];
const curves: Readonly<Record<string, KeyKind>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

export async function createClientKeys() {
  const pairs = new Map(await Promise.all(kinds.map(async kind => [kind, await generate(kind)] as const)));
  const publicJwk = (kind: KeyKind): JWK => ({ ...publicPart(privateKey(kind)), kid: kind });

  function privateKey(kind: string): KeyObject {
    const found = kinds.find(each => each === kind);
    const key = pairs.get(found ?? 'P-256');
    if (key === undefined) throw new Error(`there is no key ${kind}`);
    return key;
  }

  return {
    /** The JWK Set of the clients (RFC 7517 §5). */
    publicKeys: { keys: kinds.map(publicJwk) },
    /** The public key for signatures by an algorithm. */
    publicKey: (alg: string) => publicPart(privateKey(kindOf(alg))),
    /** Signs claims as a JWT with the key for an algorithm. */
    sign: (alg: string, claims: Json, header: Partial<JWTHeaderParameters> = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ kid: kindOf(alg), ...header, alg }).sign(privateKey(kindOf(alg))),
    /** Signs a JWT that already has its header. */
    signWith: (alg: string, jwt: SignJWT) => jwt.sign(privateKey(kindOf(alg))),
    /** Decrypts a JWE for one of these keys, and returns the algorithms in its header. */
    async decrypt(jwe: string) {
      const { plaintext, protectedHeader } = await compactDecrypt(jwe, ({ kid = '' }) => privateKey(kid));
      const { alg, enc } = protectedHeader;
      return { text: new TextDecoder().decode(plaintext), alg, enc };
    },
  };
}

/** Issues assertions that it signs with these keys, too. */
export const trustedIssuer = 'https://assertions.example';

export function unique(): string {
  return `test-${randomUUID()}`;
}

function kindOf(alg: string): KeyKind {
  if (/^(RS|PS)/.test(alg)) return 'rsa';
  return curves[alg] ?? 'ed25519';
}

/** Node's type of a JWK is wider than that of jose. */
function publicPart(key: KeyObject): JWK {
  return createPublicKey(key).export({ format: 'jwk' }) as JWK;
}

/** As DER, because exporting a generated key object as JWK can hang on Node 20. */
function generate(kind: KeyKind): Promise<KeyObject> {
  const type = kind === 'rsa' || kind === 'ed25519' ? kind : 'ec';
  const options = {
    modulusLength: 2048,
    namedCurve: kind,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: unknown, key: Buffer) =>
      error ? reject(error) : resolve(createPrivateKey({ key, type: 'pkcs8', format: 'der' }));
    // Node's overloads want the type as a literal
    (generateKeyPair as (type: string, options: object, callback: typeof done) => void)(type, options, done);
  });
}
