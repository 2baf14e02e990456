import type { AuthorizationServer } from '../authorization-server.ts';
import type { AuthorizationDetail } from '../requests/authorization-details.ts';
import type { LoginClaims } from '../users/login-claims.ts';
import type { Session } from '../users/session.ts';

/** The name of the id with which the client polls. It is also the kind in the store. */
export type PendingKind = 'device_code' | 'auth_req_id';

/** A client's request that a user decides on another device (RFC 8628 §3.1, OIDC CIBA §7.1). */
export interface PendingAuthorization {
  /** Id of the authorization it becomes when approved; not secret. */
  readonly id: string;
  readonly kind: PendingKind;
  readonly grant_type: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly authorization_details?: readonly AuthorizationDetail[];
  /** Unix seconds. */
  readonly exp: number;
  /** Seconds between two polls. */
  readonly interval: number;
}

/** The decision of the user. */
export type Decision =
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'approved';
      readonly sub: string;
      /** Taken from the login of the decision, without its `sid`: the device is not part of that session. */
      readonly session: Pick<Session, 'auth_time' | 'acr' | 'amr'>;
      /** Claims that were edited for that login. */
      readonly edited?: LoginClaims;
    };

/** Seconds for which an expired or used request is still recognised. */
const recognisedFor = 3600;

/** Seconds to keep everything that belongs to a pending authorization. */
export function pendingLifetime(server: AuthorizationServer, { exp }: Pick<PendingAuthorization, 'exp'>): number {
  return exp - server.clock() + recognisedFor;
}

export async function putPending<T extends PendingAuthorization>(
  server: AuthorizationServer,
  handle: string,
  pending: T,
): Promise<void> {
  await server.store.put([pending.kind, handle], pending, pendingLifetime(server, pending));
}

export function findPending<T extends PendingAuthorization = PendingAuthorization>(
  server: AuthorizationServer,
  kind: PendingKind,
  handle: string,
): Promise<T | undefined> {
  return server.store.get<T>([kind, handle]);
}

export function isExpired(server: AuthorizationServer, { exp }: PendingAuthorization): boolean {
  return server.clock() >= exp;
}

/** Stores the decision of the user. Returns false if there already is one. */
export function decide(
  server: AuthorizationServer,
  pending: PendingAuthorization,
  decision: Decision,
): Promise<boolean> {
  return server.store.add(['pending_decision', pending.id], decision, pendingLifetime(server, pending));
}

export function findDecision(server: AuthorizationServer, { id }: PendingAuthorization): Promise<Decision | undefined> {
  return server.store.get<Decision>(['pending_decision', id]);
}

/** True for the first caller only: an approved authorization gives tokens once. */
export function markRedeemed(server: AuthorizationServer, pending: PendingAuthorization): Promise<boolean> {
  return server.store.add(['pending_redeemed', pending.id], true, pendingLifetime(server, pending));
}

export async function wasRedeemed(server: AuthorizationServer, { id }: PendingAuthorization): Promise<boolean> {
  return (await server.store.get(['pending_redeemed', id])) === true;
}
