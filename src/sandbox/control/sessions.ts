import { closeSession } from '../../protocol/endpoints/sessions.ts';
import { clientsOfSession, findSessionBySid, type Session } from '../../protocol/users/session.ts';
import { type ControlParts, tell } from './control-parts.ts';

/** A sign-in at this server, without the cookie that proves it. */
export interface LiveSession extends Pick<Session, 'sid' | 'sub' | 'auth_time' | 'acr' | 'amr'> {
  /** Clients that got something in the session. */
  readonly clients: readonly string[];
}

/** Enough for a page that a person reads. */
const mostSessions = 200;

/** Sessions that are alive, the latest first: those whose login the log remembers. */
export async function liveSessions(parts: ControlParts, sub?: string): Promise<readonly LiveSession[]> {
  const sessions = await rememberedSessions(parts, sub);
  return Promise.all(
    sessions.map(async ({ sid, sub, auth_time, acr, amr }) => {
      return { sid, sub, auth_time, acr, amr, clients: await clientsOfSession(parts.server, sid) };
    }),
  );
}

/** Ends a session like a logout: revokes its tokens and notifies clients. False where there is no such session. */
export async function endSession(parts: ControlParts, sid: string): Promise<boolean> {
  const session = await findSessionBySid(parts.server, sid);
  if (session === undefined) return false;
  await closeSession(parts.server, session, { by: 'owner' }, fact => tell(parts, fact));
  return true;
}

/** Ends every sign-in: clients are told of those the log remembers. */
export async function endEverySession(parts: ControlParts): Promise<void> {
  const sessions = await rememberedSessions(parts, undefined, Number.POSITIVE_INFINITY);
  for (const { sid } of sessions) await endSession(parts, sid);
  await parts.server.store.clear('session');
}

/** Ends all sessions of a user. */
export async function endSessionsOf(parts: ControlParts, sub: string): Promise<void> {
  const sessions = await rememberedSessions(parts, sub);
  await Promise.all(sessions.map(({ sid }) => endSession(parts, sid)));
}

async function rememberedSessions(
  { server, events }: ControlParts,
  sub?: string,
  most = mostSessions,
): Promise<readonly Session[]> {
  await events.caughtUp();
  const logins = events.latest('login.succeeded', Number.POSITIVE_INFINITY);
  const sids = new Set(logins.filter(login => sub === undefined || login.sub === sub).map(({ sid }) => sid));
  const found = await Promise.all([...sids].map(sid => findSessionBySid(server, sid)));
  return found.filter(session => session !== undefined).slice(0, most);
}
