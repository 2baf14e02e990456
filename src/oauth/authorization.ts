import type { AuthorizationServer } from './authorization-server.ts';
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
  const outliveEveryToken = Math.max(server.lifetimes.refreshToken, longestAccessToken(server));
  await server.store.put(['revoked_authorization', authorizationId], true, outliveEveryToken);
}

export async function isRevoked(server: AuthorizationServer, authorizationId: string): Promise<boolean> {
  return (await server.store.get(['revoked_authorization', authorizationId])) === true;
}

function longestAccessToken(server: AuthorizationServer): number {
  return Math.max(...[...server.clients.values()].map(client => client.access_token_lifetime));
}
