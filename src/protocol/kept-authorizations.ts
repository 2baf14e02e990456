import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';

// Authorizations that have a record in the store, and authorizations that were revoked.

/** Revokes everything that was issued, or will be issued, from one authorization (RFC 6749 §4.1.2, RFC 9700 §4.14). */
export async function revokeAuthorization(server: AuthorizationServer, authorizationId: string): Promise<void> {
  await server.store.put(['revoked_authorization', authorizationId], true, longestLifetime(server));
}

/** True if the authorization was revoked, or its client deleted (RFC 7592 §2.3). */
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
 * Id of an authorization by token exchange (RFC 8693). It begins with the id of the authorization it came from, so
 * revoking that one ends this one, too, and not the other way round.
 */
export function descendantId(parentId: string, ownId: string): string {
  return parentId + lineageMark + ownId;
}

/** The ids of an authorization and of those it came from, the oldest first. */
export function lineageOf(authorizationId: string): readonly string[] {
  if (!authorizationId.includes(lineageMark)) return [authorizationId];
  const own = authorizationId.split(lineageMark);
  return own.map((_, index) => own.slice(0, index + 1).join(lineageMark));
}

/** Seconds of the longest token. A client with a metadata document is in no directory; it has the default lifetimes. */
function longestLifetime({ clients, lifetimes }: AuthorizationServer): number {
  const ofClients = [...clients.values()].map(each =>
    Math.max(each.access_token_lifetime, each.refresh_token_lifetime ?? 0),
  );
  return Math.max(lifetimes.accessToken, lifetimes.refreshToken, ...ofClients);
}

/** Stores an authorization whose tokens do not carry all of it. Most authorizations need no record. */
export async function putAuthorization(server: AuthorizationServer, authorization: Authorization): Promise<void> {
  await server.store.put(['authorization', authorization.id], authorization, longestLifetime(server));
}

export function findAuthorization(server: AuthorizationServer, id: string): Promise<Authorization | undefined> {
  return server.store.get<Authorization>(['authorization', id]);
}
