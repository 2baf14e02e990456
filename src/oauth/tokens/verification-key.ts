import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { checkCompact } from '../unverified-jwt.ts';
import { type SigningKey, signingAlgs } from './signing-key.ts';

/** Requirements for a JWT of ours. */
interface OwnJwt {
  /** RFC 8725 §3.11. */
  readonly typ: 'at+jwt' | 'JWT';
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
  { now, ...expected }: OwnJwt,
): Promise<JWTPayload> {
  checkCompact(jwt);
  const { payload } = await jwtVerify(jwt, async header => (await verificationKey(server, header)).publicKey, {
    ...expected,
    issuer: server.issuer,
    algorithms: [...signingAlgs],
    currentDate: new Date((now ?? 0) * 1000),
    clockTolerance: now === undefined ? Number.MAX_SAFE_INTEGER : 0,
  });
  return payload;
}

/**
 * The key of ours with the `kid` of a JWS header, used only with its own algorithm (RFC 8725 §3.1).
 * @throws JWKSNoMatchingKey
 */
async function verificationKey(
  server: AuthorizationServer,
  { kid, alg }: { readonly kid?: string; readonly alg?: string },
): Promise<SigningKey> {
  const key = await server.keys.find(kid);
  if (key === undefined || key.alg !== alg) throw new errors.JWKSNoMatchingKey();
  return key;
}

/**
 * True if the key of a JWT of ours is in the JWK Set. Clients that read the set refuse a token whose key was withdrawn.
 */
export async function isKeyPublished({ keys }: AuthorizationServer, jwt: string): Promise<boolean> {
  const { kid } = decodeProtectedHeader(jwt);
  return (await keys.jwks()).keys.some(key => key.kid === kid);
}
