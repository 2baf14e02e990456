import { decodeJwt, type JWTPayload } from 'jose';
import type { Authorization, ExchangeTokenType } from '../authorization.ts';
import type { ErrorDetails, OAuthError, Reason } from '../errors.ts';
import { findAuthorization, idTokenMark } from '../kept-authorizations.ts';
import { scopesIn } from '../scope.ts';
import { userOfSubject } from '../users/user-claims.ts';
import { parseTokenIdentifier } from './access-token.ts';
import { claimsIfOwn, type FoundToken, findToken, stateOf, verifiedClaims } from './find-token.ts';
import { readTrustedAssertion, type TrustedAssertionContext } from './trusted-assertion.ts';

/** A subject or actor token of an exchange: whom it names, and what it allows (RFC 8693 §2.1). */
export interface ExchangedToken {
  /** Subject under which this server knows the user or the client; never pairwise. */
  readonly sub: string;
  readonly claims: JWTPayload;
  /** Absent for a token without a `scope` claim. */
  readonly scopes?: readonly string[];
  readonly exp: number;
  /** The grant the token was issued for; absent for a token of another issuer, and for an ID token. */
  readonly authorizationId?: string;
  readonly tokenId?: string;
  readonly session?: Authorization['session'];
  /** Claims that were edited for the login behind the token. */
  readonly edited?: Authorization['edited'];
}

interface ExchangeContext extends TrustedAssertionContext {
  readonly role: 'subject' | 'actor';
}

/**
 * Reads the subject or actor token of an exchange: a valid token of this server, or a JWT of a trusted issuer.
 * @throws invalid_request (RFC 8693 §2.2.2)
 */
export async function readExchangedToken(
  context: ExchangeContext,
  token: string,
  type: ExchangeTokenType,
): Promise<ExchangedToken> {
  const isAny = context.client.origin === 'any' && type !== 'refresh_token';
  return (isAny ? await anyOfOurs(context, token) : undefined) ?? readers[type](context, token);
}

/** With `CLIENTS=any`: any JWT that a key of this sandbox signed, whatever its type, client and issuer. */
async function anyOfOurs(context: ExchangeContext, token: string): Promise<ExchangedToken | undefined> {
  const { server } = context;
  if ((await findToken(server, token, 'access_token'))?.type === 'access_token')
    return readers.access_token(context, token);
  const claims = await claimsIfOwn(server, token, { ofAnyIssuer: true, requiredClaims: ['exp', 'sub'] });
  if (claims === undefined) return undefined;
  const { jti } = claims;
  const ids = jti === undefined ? { authorizationId: '', tokenId: idTokenMark(token) } : parseTokenIdentifier(jti);
  checkState(context, await stateOf(server, ids, claims));
  const { authorizationId, tokenId, ...subject } = await fromClaims(context, claims, ids);
  return jti === undefined ? subject : { ...subject, authorizationId: ids.authorizationId, tokenId: ids.tokenId };
}

type Reader = (context: ExchangeContext, token: string) => Promise<ExchangedToken>;

const readers: Readonly<Record<ExchangeTokenType, Reader>> = {
  async access_token(context, token) {
    const found = await findToken(context.server, token, 'access_token');
    if (found?.type !== 'access_token') throw notOurs(context, 'an access token');
    checkState(context, found.state);
    return fromClaims(context, found.claims, found);
  },
  async refresh_token(context, token) {
    const found = await findToken(context.server, token, 'refresh_token');
    if (found?.record === undefined) throw notOurs(context, 'a refresh token');
    if (found.client_id !== context.client.client_id) throw ofAnotherClient(context, 'refresh token');
    checkState(context, found.state);
    return fromClaims(context, found.claims, found);
  },
  async id_token(context, token) {
    const { server, client } = context;
    const claims = await verifiedClaims(server, token, 'JWT');
    if (claims === undefined || claims.jti !== undefined) throw notOurs(context, 'an ID token');
    if (claims.aud !== client.client_id) throw ofAnotherClient(context, 'ID token');
    checkState(context, await stateOf(server, { authorizationId: '', tokenId: idTokenMark(token) }, claims));
    const sub = userOfSubject(server, client, claims.sub ?? '');
    if (sub === undefined) throw refused(context, 'the sub of the ID token is not a user of this server');
    return { sub, claims, exp: claims.exp ?? 0, ...sessionIn(claims) };
  },
  async jwt(context, token) {
    const { server } = context;
    if (issuerOf(token) !== server.iss) return fromTrustedIssuer(context, token);
    const found = await findToken(server, token, 'access_token');
    const claims = found?.claims ?? (await verifiedClaims(server, token, 'JWT'));
    if (claims?.jti === undefined) throw notOurs(context, 'a JWT from a token exchange, or an access token,');
    const ids = parseTokenIdentifier(claims.jti);
    checkState(context, await stateOf(server, ids, claims));
    return fromClaims(context, claims, ids);
  },
};

function issuerOf(jwt: string): string | undefined {
  try {
    return decodeJwt(jwt).iss;
  } catch {
    return undefined; // the caller reports it
  }
}

async function fromTrustedIssuer(context: ExchangeContext, jwt: string): Promise<ExchangedToken> {
  const { user, claims } = await readTrustedAssertion(context, jwt);
  return { sub: user.sub, claims, exp: claims.exp, ...('scope' in claims ? { scopes: scopesIn(claims.scope) } : {}) };
}

async function fromClaims(
  { server }: ExchangeContext,
  claims: JWTPayload,
  { authorizationId, tokenId }: Pick<FoundToken, 'authorizationId' | 'tokenId'>,
): Promise<ExchangedToken> {
  const { sub = String(claims.client_id), exp = 0 } = claims;
  // the record has the user of a pairwise sub, and the claims set at the login
  const known = await findAuthorization(server, authorizationId);
  const whom = { sub: known?.sub ?? sub, edited: known?.edited, ...sessionIn(claims) };
  return { ...whom, claims, scopes: scopesIn(claims.scope), exp, authorizationId, tokenId };
}

function sessionIn({ sid, auth_time, acr, amr }: JWTPayload): Pick<ExchangedToken, 'session'> {
  if (typeof sid !== 'string' || typeof auth_time !== 'number' || typeof acr !== 'string') return {};
  return { session: { sid, auth_time, acr, amr: Array.isArray(amr) ? amr.map(String) : [] } };
}

const stateReasons: Readonly<Record<Exclude<FoundToken['state'], 'active'>, readonly [Reason, string]>> = {
  expired: ['subject_token_expired', 'is expired'],
  ended: ['token_ended', 'has expired: it was ended early'],
  not_yet_valid: ['subject_token_invalid', 'is not valid yet'],
  revoked: ['subject_token_revoked', 'was revoked'],
  key_withdrawn: ['subject_token_invalid', 'is signed by a key that is no longer in the JWK Set'],
  replaced: ['subject_token_revoked', 'was already used and replaced'],
};

function checkState(context: ExchangeContext, state: FoundToken['state']): void {
  if (state === 'active') return;
  const [reason, words] = stateReasons[state];
  throw refused(context, `the ${context.role}_token ${words}`, { sent: state, expected: 'a valid token' }, reason);
}

function notOurs(context: ExchangeContext, what: string): OAuthError {
  const expected = `${what} of this server, as its ${context.role}_token_type says`;
  return refused(context, `the ${context.role}_token is not ${what} that this server issued`, { expected });
}

/** Refresh tokens and ID tokens are only for their client, so no other holder may use them (RFC 6749 §10.4, OIDC Core §2). */
function ofAnotherClient(context: ExchangeContext, what: string): OAuthError {
  const description = `the ${what} was issued to another client`;
  return refused(context, description, { expected: 'the access token' }, 'subject_token_of_another_client');
}

function refused(
  { role, refuse }: ExchangeContext,
  description: string,
  details: ErrorDetails = {},
  reason: Reason = 'subject_token_invalid',
): OAuthError {
  const isActors = role === 'actor' && reason !== 'token_ended';
  return refuse(isActors ? 'actor_token_invalid' : reason, description, details);
}
