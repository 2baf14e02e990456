import { decodeProtectedHeader, errors } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * Our key that a JWS header names by `kid`, for its own algorithm and no other (RFC 8725 §3.1).
 * @throws JWKSNoMatchingKey
 */
export async function verificationKey(
  server: AuthorizationServer,
  { kid, alg }: { readonly kid?: string; readonly alg?: string },
): Promise<SigningKey> {
  const key = await server.keys.find(kid);
  if (key === undefined || key.alg !== alg) throw new errors.JWKSNoMatchingKey();
  return key;
}

/** Whether the key of a JWT of ours is in the JWK Set: a token by a key that is withdrawn is none any more for whoever reads that. */
export async function isKeyPublished({ keys }: AuthorizationServer, jwt: string): Promise<boolean> {
  const { kid } = decodeProtectedHeader(jwt);
  return (await keys.jwks()).keys.some(key => key.kid === kid);
}
