import { decodeProtectedHeader, errors } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { recallClient } from '../clients/find-client.ts';
import { invalidRequest, type OAuthError } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { userOfSubject } from '../users/user-claims.ts';
import { verifyOwnJwt } from './verification-key.ts';

/** The user that an `id_token_hint` names. */
export interface Hint {
  readonly sub: string;
  /** The user's own `sub`, if `sub` is pairwise (OIDC Core §8.1); the same `sub` if it belongs to nobody. */
  readonly user: string;
  /** The client that the ID token was issued to. */
  readonly client_id: string;
  readonly sid?: string;
}

/**
 * Reads an `id_token_hint` (OIDC Core §3.1.2.1, RP-Initiated Logout §2): an ID token of ours, expired or not.
 * @throws invalid_request
 */
export async function readHint(server: AuthorizationServer, hint: string): Promise<Hint> {
  // OIDC Core §3.1.2.1: the client must decrypt it before it sends it; only the client has the key
  if (hint.split('.').length === 5) {
    const description = 'id_token_hint is encrypted: send the signed ID token inside it';
    throw invalidRequest('hint_invalid', description, { sent: 'a JWE', expected: 'the decrypted ID token' });
  }
  try {
    // an expired hint still names its user
    const payload = await verifyOwnJwt(server, hint, { typ: 'JWT', requiredClaims: ['sub', 'aud', 'iat'] });
    if (payload.jti !== undefined && !(await isIdToken(server, hint))) throw otherJwt('an access token');
    const { sub = '', aud, sid } = payload;
    const [client_id = ''] = [aud].flat();
    // a minted token may contain anything
    if (typeof sub !== 'string' || typeof client_id !== 'string') throw new errors.JWTInvalid('sub and aud are text');
    const user = await userOf(server, client_id, sub);
    return { sub, user, client_id, ...(typeof sid === 'string' ? { sid } : {}) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    // jose compares `typ` after the signature: the JWT is ours
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'typ') throw otherJwt(kindOf(hint));
    const description = 'id_token_hint is not an ID token this server issued';
    throw invalidRequest('hint_invalid', description, { expected: 'an ID token from this sandbox', cause: error });
  }
}

const kinds: Readonly<Record<string, string>> = { 'at+jwt': 'an access token', 'logout+jwt': 'a logout token' };

function kindOf(hint: string): string {
  const { typ = 'none' } = decodeProtectedHeader(hint);
  return kinds[typ] ?? `a JWT with typ ${shorten(typ, 40)}`;
}

function otherJwt(sent: string): OAuthError {
  const description = `id_token_hint is ${sent} of this server; send the ID token of the same response`;
  return invalidRequest('hint_invalid', description, { sent, expected: 'the ID token of the same response' });
}

/** A JWT of an exchange looks like an ID token with a `jti`. If ID tokens have one, too, the kept claims tell them apart. */
async function isIdToken(server: AuthorizationServer, hint: string): Promise<boolean> {
  const { dialect } = server;
  return dialect?.idTokenHasId === true && (await dialect.ownClaims(server, hint)) === undefined;
}

/** If the client, or its document, no longer exists, only its public subjects can be found. */
async function userOf(server: AuthorizationServer, client_id: string, sub: string): Promise<string> {
  if (server.users.has(sub)) return sub;
  const client = await recallClient(server, client_id);
  return (client === undefined ? undefined : userOfSubject(server, client, sub)) ?? sub;
}
