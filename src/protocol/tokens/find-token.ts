import { errors, type JWTPayload } from 'jose';
import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isEnded, isRevoked, type RefreshTokenRecord } from '../kept-authorizations.ts';
import { formatScope } from '../scope.ts';
import { parseTokenIdentifier, tokenIdentifier } from './access-token.ts';
import { isKeyPublished, type OwnJwt, verifyOwnJwt } from './verification-key.ts';

/** The token types here (RFC 7009 §2.1, RFC 7662 §2.1). A code is not a token, and an ID token is only for its client. */
type FoundTokenType = 'access_token' | 'refresh_token';

/** A token of ours, with its grant, and whether it is still valid. */
export interface FoundToken {
  readonly type: FoundTokenType;
  readonly client_id: string;
  readonly authorizationId: string;
  readonly tokenId: string;
  /**
   * `ended`: the owner of the sandbox ended it before its time; everybody else sees `expired`. `key_withdrawn`: valid,
   * except that its key is no longer in the JWK Set.
   */
  readonly state: 'active' | 'expired' | 'ended' | 'not_yet_valid' | 'revoked' | 'replaced' | 'key_withdrawn';
  /** Claims of the token, or those stored for it, in the form of an access token. */
  readonly claims: JWTPayload;
  /** Present for a refresh token. */
  readonly record?: RefreshTokenRecord;
}

/**
 * Finds a token of ours by its signature or in the store; undefined for any other string. The hint only chooses which is
 * tried first (RFC 7009 §2.1), so a wrong hint does no harm.
 */
export async function findToken(
  server: AuthorizationServer,
  token: string,
  hint?: string,
): Promise<FoundToken | undefined> {
  const first = hint === 'refresh_token' ? findRefreshToken : findAccessToken;
  const second = first === findAccessToken ? findRefreshToken : findAccessToken;
  return (await first(server, token)) ?? (await second(server, token));
}

async function findAccessToken(server: AuthorizationServer, token: string): Promise<FoundToken | undefined> {
  const opaque = await server.store.get<JWTPayload>(['access_token', token]);
  const claims = opaque ?? (await verifiedClaims(server, token));
  if (claims === undefined) return undefined;
  const { jti = '', client_id } = claims;
  const ids = parseTokenIdentifier(jti);
  const found = { type: 'access_token', client_id: String(client_id), ...ids, claims } as const;
  const state = await stateOf(server, ids, claims);
  const isWithdrawn = state === 'active' && opaque === undefined && !(await isKeyPublished(server, token));
  return { ...found, state: isWithdrawn ? 'key_withdrawn' : state };
}

/** Claims of a JWT that this server signed with that `typ` (default: an access token), even outside its lifetime. */
export async function verifiedClaims(
  server: AuthorizationServer,
  token: string,
  typ: 'at+jwt' | 'JWT' = 'at+jwt',
): Promise<JWTPayload | undefined> {
  return claimsIfOwn(server, token, {
    typ,
    requiredClaims: typ === 'JWT' ? ['exp', 'sub'] : ['exp', 'jti', 'sub', 'client_id'],
  });
}

/** Claims of a JWT that this server signed; `stateOf` judges its times. */
export async function claimsIfOwn(
  server: AuthorizationServer,
  token: string,
  expected: OwnJwt,
): Promise<JWTPayload | undefined> {
  try {
    return await verifyOwnJwt(server, token, expected);
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The state by revocation, by `endToken` and by the clock. */
export async function stateOf(
  server: AuthorizationServer,
  { authorizationId, tokenId }: Pick<FoundToken, 'authorizationId' | 'tokenId'>,
  { exp = 0, nbf = 0, client_id }: { readonly exp?: number; readonly nbf?: number; readonly client_id?: unknown },
): Promise<FoundToken['state']> {
  if (await isRevoked(server, authorizationId, client_id)) return 'revoked';
  if (server.clock() >= exp) return 'expired';
  if (await isEnded(server, tokenId)) return 'ended';
  return server.clock() < nbf ? 'not_yet_valid' : 'active';
}

async function findRefreshToken(server: AuthorizationServer, token: string): Promise<FoundToken | undefined> {
  const record = await server.store.get<RefreshTokenRecord>(['issued_refresh_token', token]);
  if (record === undefined) return undefined;
  const { authorization, tokenId } = record;
  const ids = { authorizationId: authorization.id, tokenId };
  const isInUse = (await server.store.get(['refresh_token', token])) !== undefined;
  const state = record.revoked ? 'revoked' : await stateOf(server, ids, record);
  return {
    type: 'refresh_token',
    client_id: authorization.client_id,
    ...ids,
    state: state === 'active' && !isInUse ? 'replaced' : state,
    claims: refreshTokenClaims(server, record),
    record,
  };
}

/** A refresh token is only for its client and this server, so `sub` is the user's own, and `aud` is this server. */
function refreshTokenClaims(
  { iss }: AuthorizationServer,
  { authorization, iat, exp, tokenId }: RefreshTokenRecord,
): JWTPayload {
  const { client_id, sub, scopes, session, act, confirmation, authorization_details } = authorization;
  return {
    iss,
    aud: iss,
    client_id,
    iat,
    exp,
    jti: tokenIdentifier(authorization, tokenId),
    ...defined({ sub, scope: formatScope(scopes) }),
    ...session,
    ...defined({ cnf: confirmation, act, authorization_details }),
  };
}
