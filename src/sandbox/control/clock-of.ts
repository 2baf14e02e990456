import { type ClockChanged, createSandboxClock, type Expiring, type SandboxClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { findSessionBySid } from '../../protocol/users/session.ts';
import { createStatusOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { Issuer } from '../extension.ts';

/** The clock of an issuer, for a caller who moves it. The log names the caller. */
export function clockOf({ clock, server, events }: Issuer, by: ClockChanged['by']): SandboxClock {
  return createSandboxClock({
    clock,
    by,
    tell: fact => void events.append(fact, 'sandbox'),
    expiring: () => expiring(server, events),
  });
}

/** Codes, tokens and sign-ins that the log remembers and that are good now, the first to expire first. */
async function expiring(server: AuthorizationServer, events: EventLog): Promise<readonly Expiring[]> {
  await events.caughtUp();
  const all = [...issued(events, server.clock()), ...(await sessions(server, events))];
  return all.sort((a, b) => a.exp - b.exp);
}

function issued(events: EventLog, now: number): readonly Expiring[] {
  const statusOf = createStatusOf(events, now);
  return events
    .latestIssued(Number.POSITIVE_INFINITY)
    .filter(event => statusOf(event) === 'valid')
    .map(event => ({
      tokenId: event.tokenId,
      tokenType: tokenTypeOf(event),
      exp: event.exp,
      client_id: event.client_id,
      ...defined({ sub: event.sub }),
    }));
}

async function sessions(server: AuthorizationServer, events: EventLog): Promise<readonly Expiring[]> {
  const sids = new Set(events.latest('login.succeeded', Number.POSITIVE_INFINITY).map(({ sid }) => sid));
  const found = await Promise.all([...sids].map(sid => findSessionBySid(server, sid)));
  return found
    .filter(session => session !== undefined)
    .map(({ sid, sub, auth_time }) => ({
      tokenId: sid,
      tokenType: 'session',
      exp: auth_time + server.lifetimes.session,
      sub,
    }));
}
