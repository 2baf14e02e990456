import { errors, type JWTPayload, jwtVerify } from 'jose';
import { isRevoked, parseTokenIdentifier } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidToken, type OAuthError } from '../errors.ts';
import { signingAlgs } from './algorithms.ts';
import { verificationKey } from './verification-key.ts';

/**
 * The claims of an access token this server issued, JWT or opaque, that is still good.
 * @throws invalid_token (RFC 6750 §3.1)
 */
export async function verifyAccessToken(server: AuthorizationServer, token: string): Promise<JWTPayload> {
  const opaque = await server.store.get<JWTPayload>(['access_token', token]);
  const claims = opaque ?? (await verifyJwt(server, token));
  if (await isRevoked(server, parseTokenIdentifier(claims.jti ?? '').authorizationId, claims.client_id)) {
    throw invalidToken('access_token_revoked', 'the access token was revoked');
  }
  return claims;
}

async function verifyJwt(server: AuthorizationServer, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, async header => (await verificationKey(server, header)).publicKey, {
      issuer: server.issuer,
      typ: 'at+jwt',
      algorithms: [...signingAlgs],
      currentDate: new Date(server.clock() * 1000),
      requiredClaims: ['exp', 'jti', 'sub'],
    });
    return payload;
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): OAuthError {
  if (error instanceof errors.JWTExpired) {
    return invalidToken('access_token_expired', 'the access token is expired', { cause: error });
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'typ') {
    const description = 'this is not an access token: its typ is not at+jwt (an ID Token is for the client only)';
    return invalidToken('access_token_unreadable', description, { expected: 'at+jwt', cause: error });
  }
  if (error instanceof errors.JOSEError) {
    return invalidToken('access_token_unreadable', 'the access token is not one this server issued', { cause: error });
  }
  throw error;
}
