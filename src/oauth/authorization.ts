import type { AuthorizationDetail } from './authorization-details.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ClaimsRequest } from './claims-request.ts';
import type { Confirmation } from './confirmation.ts';
import type { Session } from './session.ts';

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
  readonly session?: Pick<Session, 'sid' | 'auth_time' | 'acr' | 'amr'>;
  readonly nonce?: string;
  /** RFC 9396 §2. */
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** OIDC Core §5.5. */
  readonly claims?: ClaimsRequest;
  /** Who acts for the user, and for whom that one acts (RFC 8693 §4.1). */
  readonly act?: ActClaim;
  /** What the refresh tokens of a public client are bound to (RFC 9449 §5, RFC 8705 §4). */
  readonly confirmation?: Confirmation;
}

/** RFC 8693 §4.1: the outermost is the present actor. */
export interface ActClaim {
  readonly sub: string;
  readonly client_id?: string;
  readonly iss?: string;
  readonly act?: ActClaim;
}

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

/** The two ids in a `jti` of ours. */
export function parseTokenIdentifier(jti: string): { authorizationId: string; tokenId: string } {
  const [authorizationId = '', token = ''] = jti.split('.');
  return { authorizationId, tokenId: `tok_${token}` };
}

/** Ends everything that grew, or will grow, from one authorization (RFC 6749 §4.1.2, RFC 9700 §4.14). */
export async function revokeAuthorization(server: AuthorizationServer, authorizationId: string): Promise<void> {
  const outliveEveryToken = Math.max(server.lifetimes.refreshToken, longestLifetime(server));
  await server.store.put(['revoked_authorization', authorizationId], true, outliveEveryToken);
}

export async function isRevoked(server: AuthorizationServer, authorizationId: string): Promise<boolean> {
  return (await server.store.get(['revoked_authorization', authorizationId])) === true;
}

function longestLifetime({ clients }: AuthorizationServer): number {
  const lifetimes = [...clients.values()].map(each =>
    Math.max(each.access_token_lifetime, each.refresh_token_lifetime ?? 0),
  );
  return Math.max(...lifetimes);
}

/** Remembers what no token carries; most authorizations need no record, their tokens say it all. */
export async function putAuthorization(server: AuthorizationServer, authorization: Authorization): Promise<void> {
  const lifetime = Math.max(server.lifetimes.refreshToken, longestLifetime(server));
  await server.store.put(['authorization', authorization.id], authorization, lifetime);
}

export function findAuthorization(server: AuthorizationServer, id: string): Promise<Authorization | undefined> {
  return server.store.get<Authorization>(['authorization', id]);
}
