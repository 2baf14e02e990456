import { createSecretKey, type KeyObject } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { recallClient } from '../clients/find-client.ts';
import { checkCompact } from '../unverified-jwt.ts';
import { isHmac, type SigningKey, signingAlgs } from './signing-key.ts';

/** Requirements for a JWT of ours. */
export interface OwnJwt {
  /** RFC 8725 §3.11; absent: any. */
  readonly typ?: 'at+jwt' | 'JWT';
  /** True for a JWT of another issuer with the same keys, too. */
  readonly ofAnyIssuer?: true;
  readonly requiredClaims: string[];
  /** Unix seconds; absent: its times are not checked. */
  readonly now?: number;
}

/**
 * The claims of a JWT that this server signed.
 * @throws JOSEError
 */
export async function verifyOwnJwt(
  server: AuthorizationServer,
  jwt: string,
  { now, ofAnyIssuer, ...expected }: OwnJwt,
): Promise<JWTPayload> {
  checkCompact(jwt);
  const dialect = expected.typ === 'at+jwt' ? server.dialect : undefined;
  const secret = expected.typ === 'JWT' ? hmacOf(jwt) : [];
  const { payload } = await jwtVerify(jwt, async header => verifier(server, jwt, header), {
    ...(dialect === undefined
      ? expected
      : { ...(dialect.accessTokenType && { typ: dialect.accessTokenType }), requiredClaims: ['exp'] }),
    ...(!ofAnyIssuer && { issuer: server.dialect?.identifiers?.(server.issuer) ?? server.iss }),
    algorithms: [...signingAlgs, ...secret],
    currentDate: new Date((now ?? 0) * 1000),
    clockTolerance: now === undefined ? Number.MAX_SAFE_INTEGER : 0,
  });
  if (dialect === undefined) return payload;
  const claims = await dialect.ownClaims(server, jwt);
  if (claims === undefined) throw notAccessToken(payload);
  const missing = expected.requiredClaims.find(name => claims[name] === undefined);
  if (missing !== undefined) throw notAccessToken(payload, missing);
  return claims as JWTPayload; // made by this server, too
}

/** The algorithm of an ID token that is signed with the secret of its client; access tokens never are. */
function hmacOf(jwt: string): string[] {
  try {
    const { alg } = decodeProtectedHeader(jwt);
    return typeof alg === 'string' && isHmac(alg) ? [alg] : [];
  } catch {
    return []; // the verification says what is wrong
  }
}

/** The key of ours with the `kid` of a JWS header, used only with its own algorithm (RFC 8725 §3.1). */
async function verifier(
  server: AuthorizationServer,
  jwt: string,
  { kid, alg = '' }: { readonly kid?: string; readonly alg?: string },
): Promise<KeyObject> {
  if (isHmac(alg)) return secretBehind(server, jwt, alg);
  const key = await server.keys.find(kid);
  if (key === undefined || key.alg !== alg) throw new errors.JWKSNoMatchingKey();
  return key.publicKey;
}

/** With a dialect, an ID token may have the same header as an access token: only what was issued as one is one. */
function notAccessToken(payload: JWTPayload, claim = 'typ'): Error {
  return new errors.JWTClaimValidationFailed('not an access token of this server', payload, claim, 'check_failed');
}

/** True if the key of a JWT of ours is in the JWK Set. Clients that read the set refuse a token of a withdrawn key. */
export async function isKeyPublished({ keys }: AuthorizationServer, jwt: string): Promise<boolean> {
  const { kid } = decodeProtectedHeader(jwt);
  return (await keys.jwks()).keys.some(key => key.kid === kid);
}

type Signed = Pick<RegisteredClient, 'client_secret' | 'id_token_signed_response_alg'>;

/** The secret of a client as the key that signs its ID tokens (OIDC Core §10.1). It is in no JWK Set and has no `kid`. */
export function secretKey({ client_secret = '', id_token_signed_response_alg: alg }: Signed): SigningKey {
  const key = createSecretKey(Buffer.from(client_secret));
  return { kid: '', alg, privateKey: key, publicKey: key, publicJwk: { kty: 'oct', kid: '', alg, use: 'sig' } };
}

/**
 * The secret that an ID token was signed with: that of the client in `aud`, if it is registered for this algorithm. No
 * other key is ever used for an HMAC (RFC 8725 §2.1).
 * @throws JWKSNoMatchingKey
 */
export async function secretBehind(server: AuthorizationServer, jwt: string, alg: string): Promise<KeyObject> {
  const { aud } = decodeJwt(jwt);
  const [client_id = ''] = [aud].flat();
  const client = await recallClient(server, client_id);
  if (client?.client_secret === undefined || client.id_token_signed_response_alg !== alg)
    throw new errors.JWKSNoMatchingKey();
  return secretKey(client).publicKey;
}
