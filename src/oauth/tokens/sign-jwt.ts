import { CompactSign } from 'jose';
import type { SigningKey } from './signing-keys.ts';

const encoder = new TextEncoder();

/** A signed JWT in compact form (RFC 7519 §3.1); the signature is made on the thread pool. */
export function signJwt(key: SigningKey, typ: string, claims: object): Promise<string> {
  return new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ })
    .sign(key.privateKey);
}
