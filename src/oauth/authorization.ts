import type { AuthorizationServer } from './authorization-server.ts';
import type { Confirmation } from './proofs/confirmation.ts';
import type { AuthorizationDetail } from './requests/authorization-details.ts';
import type { ClaimsRequest } from './requests/claims-request.ts';
import type { LoginClaims } from './users/login-claims.ts';
import type { Session } from './users/session.ts';

/** What was granted to which client, and by whom: the record behind codes and tokens. Plain data, so it can be stored. */
export interface Authorization {
  readonly id: string;
  readonly client_id: string;
  readonly grant_type: string;
  /** The user; absent where the client acts for itself. */
  readonly sub?: string;
  readonly scopes: readonly string[];
  /** RFC 8707: the resources the tokens are for; empty means the client's default audience. */
  readonly resources: readonly string[];
  /** The login behind it; without `sid` where no session at this server goes with the tokens. */
  readonly session?: Pick<Session, 'auth_time' | 'acr' | 'amr'> & Partial<Pick<Session, 'sid'>>;
  readonly nonce?: string;
  /** What was set for the login behind it. */
  readonly edited?: LoginClaims;
  /** RFC 9396 §2. */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Scopes the user was asked for and did not allow. */
  readonly declined?: readonly string[];
  /** OIDC Core §5.5. */
  readonly claims?: ClaimsRequest;
  /** Who acts for the user, and for whom that one acts (RFC 8693 §4.1). */
  readonly act?: ActClaim;
  /** What the refresh tokens of a public client are bound to (RFC 9449 §5, RFC 8705 §4). */
  readonly confirmation?: Confirmation;
  /** Unix seconds: all its tokens end then at the latest, as what they were exchanged for does (RFC 8693). */
  readonly notAfter?: number;
}

/** RFC 8693 §4.1: the outermost is the present actor. */
export interface ActClaim {
  readonly sub: string;
  readonly client_id?: string;
  readonly iss?: string;
  readonly act?: ActClaim;
}

/** What a token can be exchanged for; the ends of their URNs (RFC 8693 §3). */
export type ExchangeTokenType = 'access_token' | 'refresh_token' | 'id_token' | 'jwt';

/** What a grant was worth: the authorization behind it, and how much of it one token response is about. */
export interface Redemption {
  readonly authorization: Authorization;
  /** For the access token; at most those of the authorization. */
  readonly scopes: readonly string[];
  /** The same for `resource` (RFC 8707 §2.2). */
  readonly resources: readonly string[];
  /** The code or refresh token that was given for it. */
  readonly parentTokenId?: string;
  /** What the response has; absent: all that the authorization and the client allow. */
  readonly tokens?: readonly ('access' | 'refresh' | 'id')[];
  /** The one token that a token exchange asked for, whatever its type (RFC 8693 §2.1). */
  readonly requestedTokenType?: ExchangeTokenType;
  /** Unix seconds: the access token ends then at the latest. */
  readonly notAfter?: number;
  /** For the access token; absent: those of the authorization (RFC 9396 §6). */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** What the response says besides tokens (RFC 8693 §2.2.1). */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The refresh token that stays in use; absent means that a new one may be issued. */
  readonly refreshToken?: string;
}

/** `jti` begins with the authorization's id, so that any token leads back to it without being remembered. */
export function tokenIdentifier(authorization: Authorization, tokenId: string): string {
  return `${authorization.id}.${tokenId.slice('tok_'.length)}`;
}

/** The two ids in a `jti` of ours; of one that was minted in another form, ids that nothing has. */
export function parseTokenIdentifier(jti: unknown): { authorizationId: string; tokenId: string } {
  const [authorizationId = '', token = ''] = typeof jti === 'string' ? jti.split('.') : [];
  return { authorizationId, tokenId: `tok_${token}` };
}

/** Ends everything that grew, or will grow, from one authorization (RFC 6749 §4.1.2, RFC 9700 §4.14). */
export async function revokeAuthorization(server: AuthorizationServer, authorizationId: string): Promise<void> {
  await server.store.put(['revoked_authorization', authorizationId], true, longestLifetime(server));
}

/** Whether it was revoked, or its client deleted (RFC 7592 §2.3). */
export async function isRevoked(
  server: AuthorizationServer,
  authorizationId: string,
  client_id?: unknown,
): Promise<boolean> {
  for (const id of lineageOf(authorizationId)) {
    if ((await server.store.get(['revoked_authorization', id])) === true) return true;
  }
  return typeof client_id === 'string' && (await server.store.get(['deleted_client', client_id])) === true;
}

const lineageMark = '~';

/**
 * The id of what was exchanged for a token (RFC 8693): it begins with the id of the authorization it came from, so that
 * revoking that one ends this one too, and not the other way round.
 */
export function descendantId(parentId: string, ownId: string): string {
  return parentId + lineageMark + ownId;
}

/** An authorization and those it came from, the oldest first. */
export function lineageOf(authorizationId: string): readonly string[] {
  if (!authorizationId.includes(lineageMark)) return [authorizationId];
  const own = authorizationId.split(lineageMark);
  return own.map((_, index) => own.slice(0, index + 1).join(lineageMark));
}

/** Of any token. A client that describes itself is in no directory: it has what is usual. */
function longestLifetime({ clients, lifetimes }: AuthorizationServer): number {
  const ofClients = [...clients.values()].map(each =>
    Math.max(each.access_token_lifetime, each.refresh_token_lifetime ?? 0),
  );
  return Math.max(lifetimes.accessToken, lifetimes.refreshToken, ...ofClients);
}

/** Remembers what no token carries; most authorizations need no record, their tokens say it all. */
export async function putAuthorization(server: AuthorizationServer, authorization: Authorization): Promise<void> {
  await server.store.put(['authorization', authorization.id], authorization, longestLifetime(server));
}

export function findAuthorization(server: AuthorizationServer, id: string): Promise<Authorization | undefined> {
  return server.store.get<Authorization>(['authorization', id]);
}
