import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject } from 'node:crypto';
import { randomId } from './random.ts';

/** The kind of a key pair; RSA keys have 2048 bits. */
export interface KeyKind {
  readonly keyType: 'rsa' | 'ec' | 'ed25519';
  readonly namedCurve?: string;
}

/** Makes a key pair on the thread pool. As DER, because exporting a generated key object as JWK can hang on Node 20. */
export function generatePrivateKey({ keyType, namedCurve }: KeyKind): Promise<KeyObject> {
  const options = {
    modulusLength: 2048,
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  };
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, _publicKey: unknown, key: Buffer) =>
      error ? reject(error) : resolve(createPrivateKey({ key, type: 'pkcs8', format: 'der' }));
    // Node's overloads want the type as a literal
    (generateKeyPair as (type: string, options: object, callback: typeof done) => void)(keyType, options, done);
  });
}

interface DecryptionKey {
  readonly privateKey: KeyObject;
  /** As published (RFC 7517 §4). */
  readonly publicJwk: JsonWebKey;
}

type DecryptionKeys = Readonly<Record<'rsa' | 'ec', DecryptionKey>>;

const made = new WeakMap<object, Promise<DecryptionKeys>>();

/** The keys to which requests are encrypted, made at the first use. `owner` is what the server has for its lifetime. */
export function decryptionKeys(owner: object): Promise<DecryptionKeys> {
  const known = made.get(owner) ?? make();
  made.set(owner, known);
  return known;
}

async function make(): Promise<DecryptionKeys> {
  const [rsa, ec] = await Promise.all([newKey({ keyType: 'rsa' }), newKey({ keyType: 'ec', namedCurve: 'P-256' })]);
  return { rsa, ec };
}

async function newKey(kind: KeyKind): Promise<DecryptionKey> {
  const privateKey = await generatePrivateKey(kind);
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicJwk: { ...jwk, kid: `grantbox-enc-${randomId().slice(0, 8)}`, use: 'enc' } };
}

/** The JWK Set with the keys for encryption (RFC 7517 §4.2). */
export async function withDecryptionKeys(
  owner: object,
  { keys }: { readonly keys: readonly JsonWebKey[] },
): Promise<{ readonly keys: readonly JsonWebKey[] }> {
  const { rsa, ec } = await decryptionKeys(owner);
  return { keys: [...keys, rsa.publicJwk, ec.publicJwk] };
}
