import { CompactEncrypt, importJWK } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { AccessTokenClaims } from './access-token.ts';

/**
 * An access token that is encrypted to the key of its resource: a nested JWT (RFC 7519 §5.2, RFC 9068 §4). Only the
 * resource can read it, so this server keeps the claims, but not those of a token that was damaged on purpose.
 */
export async function encryptForResource(
  { dropIns, store }: AuthorizationServer,
  signed: string,
  claims: AccessTokenClaims,
  isKept: boolean,
): Promise<string> {
  const jwk = dropIns?.accessTokenKeys[String(claims.aud)];
  if (jwk === undefined) return signed;
  const { alg = jwk.kty === 'RSA' ? 'RSA-OAEP-256' : 'ECDH-ES', kid } = jwk;
  const header = { alg: String(alg), enc: 'A256GCM', typ: 'at+jwt', cty: 'JWT' };
  const token = await new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader(typeof kid === 'string' ? { ...header, kid } : header)
    .encrypt(await importJWK({ ...jwk }, header.alg));
  if (isKept) await store.put(['access_token', token], claims, claims.exp - claims.iat);
  return token;
}
