import { decodeProtectedHeader, errors, type JWTPayload } from 'jose';
import { wordOfScripts } from '../../base/text/authorization-header.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type ErrorDetails, invalidToken, type OAuthError } from '../errors.ts';
import { endedDetails, isEnded, isRevoked } from '../kept-authorizations.ts';
import { shorten } from '../parameters.ts';
import { parseTokenIdentifier } from './access-token.ts';
import { isKeyPublished, verifyOwnJwt } from './verification-key.ts';

/**
 * The claims of a valid access token of this server, JWT or opaque.
 * @throws invalid_token (RFC 6750 §3.1)
 */
export async function verifyAccessToken(server: AuthorizationServer, token: string): Promise<JWTPayload> {
  const opaque = await server.store.get<JWTPayload>(['access_token', token]);
  const claims = opaque ?? (await verifyJwt(server, token));
  const about = parseTokenIdentifier(claims.jti ?? '');
  if (await isRevoked(server, about.authorizationId, claims.client_id)) {
    throw invalidToken('access_token_revoked', 'the access token was revoked', told(claims));
  }
  if (await isEnded(server, about.tokenId)) {
    const description = 'the access token has expired: it was ended early';
    throw invalidToken('token_ended', description, { ...told(claims), ...endedDetails(about) });
  }
  return claims;
}

async function verifyJwt(server: AuthorizationServer, token: string): Promise<JWTPayload> {
  try {
    const requiredClaims = ['exp', 'jti', 'sub'];
    const payload = await verifyOwnJwt(server, token, { typ: 'at+jwt', requiredClaims, now: server.clock() });
    if (await isKeyPublished(server, token)) return payload;
  } catch (error) {
    throw refusal(error, { token, now: server.clock() });
  }
  const description = 'the access token is signed by a key that is no longer in the JWK Set';
  const { kid = 'none' } = decodeProtectedHeader(token);
  const { keys } = await server.keys.jwks();
  throw invalidToken('access_token_key_unknown', description, {
    sent: `kid ${shorten(kid)}`,
    expected: keys.map(key => key.kid).join(' or '),
  });
}

/** Client and id of a token whose signature is already verified, for the details of an error. */
function told({ jti, client_id }: JWTPayload): ErrorDetails {
  return {
    ...(typeof client_id === 'string' ? { client_id } : {}),
    ...(jti === undefined ? {} : { about: parseTokenIdentifier(jti) }),
  };
}

function refusal(error: unknown, { token, now }: { token: string; now: number }): OAuthError {
  if (error instanceof errors.JWTExpired) {
    const { exp } = error.payload;
    return invalidToken('access_token_expired', 'the access token is expired', {
      ...told(error.payload),
      sent: `exp ${exp}`,
      expected: `later than now, ${now}`,
      cause: error,
    });
  }
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'typ') {
    const description = 'this is not an access token: its typ is not at+jwt. An ID token is only for the client';
    const { typ = 'no typ' } = decodeProtectedHeader(token);
    return invalidToken('access_token_unreadable', description, {
      sent: shorten(typ),
      expected: 'at+jwt',
      cause: error,
    });
  }
  if (error instanceof errors.JOSEError) {
    const word = wordOfScripts(token);
    const description = word === undefined ? 'not one this server issued' : word;
    return invalidToken('access_token_unreadable', `the access token is ${description}`, {
      sent: word,
      cause: error,
    });
  }
  throw error;
}
