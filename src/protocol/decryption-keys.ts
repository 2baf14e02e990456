import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { generatePrivateKey, type KeyKind } from './key-pair.ts';
import { randomId } from './random.ts';

/** A key pair to which others encrypt. */
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
