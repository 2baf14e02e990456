import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import { beginSession, type LoginTold } from '../../../protocol/endpoints/sessions.ts';
import { browserState, findSession, type LoginFacts, type Session } from '../../../protocol/users/session.ts';
import type { Cookies } from '../cookies.ts';
import { contextOf } from '../request-context.ts';

interface Parts {
  readonly server: AuthorizationServer;
  readonly cookies: Cookies;
}

/** Starts the session of this browser. Returns it with its `Set-Cookie` lines. */
export async function startLogin(
  parts: Parts,
  req: IncomingMessage,
  facts: Omit<LoginFacts, 'previous'>,
  told: Omit<LoginTold, 'by'> = {},
): Promise<{ readonly session: Session; readonly cookies: readonly string[] }> {
  const { server, cookies } = parts;
  const previous = await findSession(server, cookies.read(req, cookies.session));
  const { emit } = contextOf(req);
  const session = await beginSession(server, { ...facts, previous }, { ...told, by: facts.method }, emit);
  return { session, cookies: sessionCookies(parts, session) };
}

/** Cookies of a session that has begun. */
export function sessionCookies(parts: Parts, session: Session): readonly string[] {
  const { server, cookies } = parts;
  const cookie = cookies.set(cookies.session, session.id, server.lifetimes.session);
  const lastUser = cookies.set(cookies.lastUser, session.sub, 365 * 24 * 3600);
  return [cookie, lastUser, ...stateCookie(parts, session)];
}

function stateCookie({ server, cookies }: Parts, session: Session): string[] {
  if (!server.features.has('session-management')) return [];
  return [cookies.setReadable(cookies.browserState, browserState(session), server.lifetimes.session)];
}
