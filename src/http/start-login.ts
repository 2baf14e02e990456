import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { shorten } from '../oauth/parameters.ts';
import { findSession, type LoginFacts, type Session, startSession } from '../oauth/users/session.ts';
import { browserState } from '../oauth/users/session-state.ts';
import type { Cookies } from './cookies.ts';
import { contextOf } from './request-context.ts';

interface Parts {
  readonly server: AuthorizationServer;
  readonly cookies: Cookies;
}

export interface StartedLogin {
  readonly session: Session;
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[];
}

/** Starts the session of this browser; `client_id` is the client it was asked to log in for, if any. */
export async function startLogin(
  parts: Parts,
  req: IncomingMessage,
  facts: Omit<LoginFacts, 'previous'>,
  client_id?: string | null,
): Promise<StartedLogin> {
  const { server, cookies } = parts;
  const { user } = facts;
  const previous = await findSession(server, cookies.read(req, cookies.session));
  const session = await startSession(server, { ...facts, previous });
  await endReplaced(server, req, previous, session);
  contextOf(req).emit({
    type: 'login.succeeded',
    sub: user.sub,
    sid: session.sid,
    amr: session.amr,
    ...(client_id ? { client_id: shorten(client_id) } : {}),
  });
  const cookie = cookies.set(cookies.session, session.id, server.lifetimes.session);
  const lastUser = cookies.set(cookies.lastUser, user.sub, 365 * 24 * 3600);
  return { session, cookies: [cookie, lastUser, ...stateCookie(parts, session)] };
}

/** One browser has one login: where somebody else had it before, that session ends as by a logout. */
async function endReplaced(
  server: AuthorizationServer,
  req: IncomingMessage,
  previous: Session | undefined,
  { sub }: Session,
): Promise<void> {
  if (previous === undefined || previous.sub === sub) return;
  const { closeSession } = await import('../oauth/endpoints/close-session.ts');
  await closeSession(server, previous, { replacedBy: sub }, contextOf(req).emit);
}

function stateCookie({ server, cookies }: Parts, session: Session): string[] {
  if (!server.features.has('session-management')) return [];
  return [cookies.setReadable(cookies.browserState, browserState(session), server.lifetimes.session)];
}
