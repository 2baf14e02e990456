import { type KeyObject, sign } from 'node:crypto';
import { algorithmOf } from './algorithms.ts';
import type { SigningKey } from './signing-keys.ts';

/**
 * A signed JWT in compact form (RFC 7515 §3.1, RFC 7519 §7.1). The signature is made on the thread pool by `crypto.sign`:
 * jose's way through WebCrypto costs 10 µs more for each token, and loading WebCrypto its share of every start.
 */
export async function signJwt(key: SigningKey, typ: string, claims: object): Promise<string> {
  const input = `${headerOf(key, typ)}.${base64url(claims)}`;
  return `${input}.${(await signatureOf(key, input)).toString('base64url')}`;
}

/** The signature of whatever is before the last dot (RFC 7515 §5.1). */
export function signatureOf(key: SigningKey, input: string): Promise<Buffer> {
  const { digest, options } = algorithmOf(key.alg);
  const signer = options === undefined ? key.privateKey : { key: key.privateKey, ...options };
  return new Promise((resolve, reject) => {
    sign(digest, Buffer.from(input, 'latin1'), signer as KeyObject, (error, signature) => {
      if (error === null) resolve(signature);
      else reject(error);
    });
  });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const headers = new WeakMap<SigningKey, Map<string, string>>();

/** The header is the same for every token of a key and type. */
function headerOf(key: SigningKey, typ: string): string {
  const byType = headers.get(key) ?? new Map<string, string>();
  headers.set(key, byType);
  const header = byType.get(typ) ?? base64url({ alg: key.alg, kid: key.kid, typ });
  byType.set(typ, header);
  return header;
}
