import { updateEntry } from '../../base/store.ts';
import type { AuthorizationDetail, Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidGrant, OAuthError } from '../errors.ts';
import type { Random } from '../random.ts';
import type { LoginClaims } from '../users/login-claims.ts';
import type { Session } from '../users/session.ts';

/** The name of the id with which the client polls. It is also the kind in the store. */
type PendingKind = 'device_code' | 'auth_req_id';

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
function markRedeemed(server: AuthorizationServer, pending: PendingAuthorization): Promise<boolean> {
  return server.store.add(['pending_redeemed', pending.id], true, pendingLifetime(server, pending));
}

async function wasRedeemed(server: AuthorizationServer, { id }: PendingAuthorization): Promise<boolean> {
  return (await server.store.get(['pending_redeemed', id])) === true;
}

/**
 * A client asks whether the user has decided (RFC 8628 §3.4, §3.5; OIDC CIBA §10.1, §11).
 * @throws authorization_pending, slow_down, access_denied, expired_token, invalid_grant
 */
export async function poll(
  server: AuthorizationServer,
  client: RegisteredClient,
  kind: PendingKind,
  handle: string,
): Promise<Redemption> {
  const pending = await findPending(server, kind, handle);
  if (pending === undefined) throw invalidGrant(`${kind}_unknown`, `the ${kind} is unknown, or it expired long ago`);
  if (pending.client_id !== client.client_id) {
    const details = { sent: client.client_id, expected: pending.client_id };
    throw invalidGrant(`${kind}_of_another_client`, `the ${kind} was issued to another client`, details);
  }
  const usedBefore = () => invalidGrant(`${kind}_used`, `the ${kind} was used before: it works only once`);
  if (await wasRedeemed(server, pending)) throw usedBefore();
  if (isExpired(server, pending)) {
    const description = `the ${kind} expired ${server.clock() - pending.exp} s ago: ask for a new one`;
    throw new OAuthError('expired_token', `${kind}_expired`, description);
  }
  const decision = await findDecision(server, pending);
  if (decision === undefined) throw await notYet(server, pending);
  if (decision.kind === 'denied') throw new OAuthError('access_denied', 'user_denied', 'the user denied the request');
  if (!(await markRedeemed(server, pending))) throw usedBefore();
  return redemption(pending, decision);
}

interface PollState {
  readonly interval: number;
  /** Unix seconds. */
  readonly polledAt: number;
}

/** Seconds added to the interval each time a client polls too early (RFC 8628 §3.5). */
const slowDownSeconds = 5;

async function notYet(server: AuthorizationServer, pending: PendingAuthorization): Promise<OAuthError> {
  const now = server.clock();
  const key = ['pending_poll', pending.id] as const;
  const intervalOf = (last: PollState | undefined) => last?.interval ?? pending.interval;
  // if the clock was set back, it cannot say how long the client waited
  const isTooFast = (last: PollState | undefined): last is PollState =>
    last !== undefined && now >= last.polledAt && now - last.polledAt < last.interval;
  const nextOf = (last: PollState | undefined) => intervalOf(last) + (isTooFast(last) ? slowDownSeconds : 0);
  const last = await updateEntry<PollState>(server.store, key, pendingLifetime(server, pending), before => ({
    interval: nextOf(before),
    polledAt: now,
  }));
  const interval = intervalOf(last);
  if (!isTooFast(last)) {
    const description = `the user has not decided yet: ask again in ${interval} s`;
    return new OAuthError('authorization_pending', 'authorization_pending', description);
  }
  const sent = `a poll ${now - last.polledAt} s after the previous one`;
  const description = `polled too early: wait ${nextOf(last)} s between polls from now on`;
  return new OAuthError('slow_down', 'polled_too_fast', description, { sent, expected: `${interval} s between polls` });
}

function redemption(
  pending: PendingAuthorization,
  { sub, session, edited }: Extract<Decision, { kind: 'approved' }>,
): Redemption {
  const { id, grant_type, client_id, scopes, resources, authorization_details: details } = pending;
  const asked = { authorization_details: details, edited };
  return { authorization: { id, grant_type, client_id, sub, scopes, resources, session, ...asked }, scopes, resources };
}

/** No vowels, so that it spells nothing, and no two letters that look alike (RFC 8628 §6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const form = new RegExp(`^[${letters}]{8}$`);

/** `WDJB-MJHT`: eight letters, 34 bits. */
export function randomUserCode(random: Pick<Random, 'below'>): string {
  const code = Array.from({ length: 8 }, () => letters.charAt(random.below(letters.length))).join('');
  return withDash(code);
}

/** A typed user code as it was shown; case, dashes and spaces do not count. Undefined if the text cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  return form.test(code) ? withDash(code) : undefined;
}

function withDash(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
