import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { isRecord } from '../../../base/text/record.ts';
import { agreedAlg } from './id-token.ts';
import { jsonOf, metadataOf, type SignInParts } from './sign-in.ts';

/** Member of `events` in a logout token (OIDC Back-Channel Logout §2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Signs out all users of the session in a logout token (OIDC Back-Channel Logout §2.6). The switches of the application do not
 * weaken this check.
 * @returns the reason to refuse the token; undefined for a valid token
 */
export async function signOutByToken(parts: SignInParts, logoutToken: string): Promise<string | undefined> {
  const { issuer, client, state, send, now } = parts;
  const { jwks_uri } = await metadataOf(issuer, send);
  const keys = (await jsonOf(send(jwks_uri))) as JSONWebKeySet; // our own server sends this type
  try {
    const { payload } = await jwtVerify(logoutToken, createLocalJWKSet(keys), {
      issuer,
      audience: client.client_id,
      algorithms: [agreedAlg],
      currentDate: new Date(now() * 1000),
    });
    const problem = problemOf(payload);
    if (problem === undefined) state.endSession(String(payload.sid));
    return problem;
  } catch (error) {
    if (error instanceof errors.JOSEError) return error.message;
    throw error;
  }
}

/** Tells a logout token from an ID Token, which has no `events` and may have a `nonce`. */
function problemOf({ events, nonce, sid }: JWTPayload): string | undefined {
  if (!isRecord(events) || !isRecord(events[logoutEvent])) return 'events does not have the logout event';
  if (nonce !== undefined) return 'a logout token must not have a nonce';
  return typeof sid === 'string' ? undefined : 'the logout token names no session: sid is missing';
}
