import { defined } from '../../base/defined.ts';
import type { Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidGrant, OAuthError } from '../errors.ts';
import { updateEntry } from '../update-entry.ts';
import {
  type Decision,
  findDecision,
  findPending,
  isExpired,
  markRedeemed,
  type PendingAuthorization,
  type PendingKind,
  pendingLifetime,
  wasRedeemed,
} from './pending-authorization.ts';

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
  const asked = defined({ authorization_details: details, edited });
  return { authorization: { id, grant_type, client_id, sub, scopes, resources, session, ...asked }, scopes, resources };
}
