import { createHmac, createPublicKey, timingSafeEqual } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { AppRefusal, type IdTokenClaims, type Protections } from './checks.ts';

/** The algorithm that the app and its provider agreed on (RFC 8725 §3.1). */
export const agreedAlg = 'RS256';

/** Claims that each ID token has (OIDC Core §2), and that no switch concerns. */
const required = ['sub', 'exp', 'iat'] as const;

/**
 * Returns the claims of an ID token after checking signature and expiry (OIDC Core §3.1.3.7). Without the protection `alg`, the
 * header of the token chooses the algorithm: `none` skips the check, and an HMAC uses the public key as its secret. Careless
 * libraries do the same (RFC 8725 §2.1).
 * @param now Unix seconds
 * @throws AppRefusal
 */
export async function readIdToken(
  idToken: string,
  keys: JSONWebKeySet,
  now: number,
  on: Protections,
): Promise<IdTokenClaims> {
  const alg = algorithmOf(idToken);
  if (on.has('alg') && alg !== agreedAlg) throw new AppRefusal('alg', alg, agreedAlg);
  if (alg === 'none') return decodeJwt(idToken);
  if (alg.startsWith('HS')) return readWithPublicKeyAsSecret(idToken, alg, keys);
  try {
    const options = { currentDate: new Date(now * 1000), requiredClaims: [...required] };
    return (await jwtVerify(idToken, createLocalJWKSet(keys), options)).payload;
  } catch (error) {
    throw refusalOf(error);
  }
}

function algorithmOf(idToken: string): string {
  try {
    return decodeProtectedHeader(idToken).alg ?? 'none';
  } catch {
    throw new AppRefusal('signature', 'a text that is not a JWT', 'an ID token');
  }
}

function refusalOf(error: unknown): AppRefusal {
  if (error instanceof errors.JWTExpired) {
    return new AppRefusal('exp', String(error.payload.exp), 'a time that is still to come');
  }
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined;
  const missing = required.find(name => name === claim);
  if (missing !== undefined) return new AppRefusal(missing, 'nothing', `${missing}, which is required`);
  const sent = error instanceof errors.JOSEError ? error.message : 'a signature that cannot be checked';
  return new AppRefusal('signature', sent, 'a signature by a key of the provider');
}

function readWithPublicKeyAsSecret(idToken: string, alg: string, { keys }: JSONWebKeySet): IdTokenClaims {
  const [header, payload, signature = ''] = idToken.split('.');
  const sent = Buffer.from(signature, 'base64url');
  const fits = keys.some(key => {
    const secret = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const made = createHmac(`sha${alg.slice(2)}`, secret)
      .update(`${header}.${payload}`)
      .digest();
    return made.length === sent.length && timingSafeEqual(made, sent);
  });
  if (!fits) throw new AppRefusal('signature', `a signature by ${alg}`, 'a signature by a key of the provider');
  return decodeJwt(idToken);
}
