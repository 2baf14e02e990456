import { CompactEncrypt, importJWK } from 'jose';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import type { Jwk } from '../clients/client.ts';
import { ClientKeysError, clientKeys } from '../clients/client-keys.ts';
import { invalidRequest, type OAuthError } from '../errors.ts';
import type { AccessTokenClaims } from './access-token.ts';
import { signJwt } from './signing-key.ts';

/** Encryption of a JWT for a client, by its registered metadata. */
interface Encryption {
  readonly alg: string;
  /** OIDC Registration §2: A128CBC-HS256 if only `alg` is registered. */
  readonly enc?: string;
}

/**
 * A nested JWT: signed by us, then encrypted to a key of the client (OIDC Core §10.2, RFC 7519 §5.2).
 * @throws invalid_request if the client publishes no key for it
 */
export function encryptJwt(context: ClientCall, jwt: string, encryption: Encryption): Promise<string> {
  return encrypt(context, jwt, encryption, { cty: 'JWT' });
}

async function encrypt(
  call: ClientCall,
  text: string,
  { alg, enc = 'A128CBC-HS256' }: Encryption,
  header: { readonly cty?: string; readonly typ?: string },
): Promise<string> {
  const jwk = await encryptionKey(call, alg);
  const kid = typeof jwk.kid === 'string' ? { kid: jwk.kid } : {};
  try {
    return await new CompactEncrypt(new TextEncoder().encode(text))
      .setProtectedHeader({ alg, enc, ...header, ...kid })
      .encrypt(await importJWK({ ...jwk }, alg));
  } catch (error) {
    throw missing(call, alg, 'the key of the client cannot be used to encrypt', error);
  }
}

async function encryptionKey(call: ClientCall, alg: string): Promise<Jwk> {
  try {
    const keys = await clientKeys(call.server, call.client, { use: 'enc', alg }, call.emit);
    const key = keys.find(({ use }) => use === 'enc') ?? keys[0];
    if (key !== undefined) return key;
  } catch (error) {
    if (error instanceof ClientKeysError) throw missing(call, alg, error.description, error, error.met);
    throw error;
  }
  throw missing(call, alg, 'the client asks for encryption but has no key for it');
}

function missing({ client }: ClientCall, alg: string, description: string, cause?: unknown, met?: string): OAuthError {
  const expected = `a public key for ${alg}, with use enc or without use`;
  const details = { expected, client_id: client.client_id, cause, met };
  return invalidRequest('client_encryption_key_missing', description, details);
}

/** UserInfo as the client registered it (OIDC Core §5.3.2): signed, encrypted, or signed and then encrypted. */
export async function userInfoJwt(context: ClientCall, claims: object): Promise<string> {
  const { server, client } = context;
  const { userinfo_signed_response_alg: signing, userinfo_encrypted_response_alg: alg } = client;
  const own = { ...claims, iss: server.iss, aud: client.client_id };
  const signed = signing === undefined ? undefined : await signJwt(await server.keys.forAlg(signing), 'JWT', own);
  if (alg === undefined) return signed ?? '';
  const encryption = { alg, enc: client.userinfo_encrypted_response_enc };
  if (signed !== undefined) return encryptJwt(context, signed, encryption);
  return encrypt(context, JSON.stringify(own), encryption, { typ: 'JWT' });
}

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
