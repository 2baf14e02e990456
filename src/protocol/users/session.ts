import type { AuthorizationServer } from '../authorization-server.ts';
import type { LoginClaims } from './login-claims.ts';
import type { TestUser } from './user.ts';

/** A login at this server, kept by a cookie (OIDC Core §3.1.2.3). */
export interface Session {
  /** The value of the cookie. Only the browser, `http/` and the store know it. */
  readonly id: string;
  /** The session ID that clients receive (OIDC Front-Channel Logout §3). */
  readonly sid: string;
  readonly sub: string;
  /** Unix seconds. */
  readonly auth_time: number;
  readonly acr: string;
  readonly amr: readonly string[];
  /** Claims that were set for this login only. */
  readonly edited?: LoginClaims;
}

export interface LoginFacts {
  readonly user: TestUser;
  /** Whether the user typed a password or clicked a card. */
  readonly method: 'password' | 'click';
  /** The first of the requested `acr_values`, which the sandbox assumes was met. */
  readonly acr?: string;
  /** Claims that were set for this login only. */
  readonly edited?: LoginClaims | undefined;
  /** The earlier session of this browser, which ends. */
  readonly previous?: Session | undefined;
}

/**
 * Starts a session, always with a new id (session fixation). A user who logs in again keeps the `sid`, so that a later
 * logout reaches every client; another user never gets it. Without `acr_values` the `acr` is honest: `0` for a click
 * (OIDC Core §2: no confidence), `1` for a password; `amr` uses the words of RFC 8176.
 */
export async function startSession(server: AuthorizationServer, facts: LoginFacts): Promise<Session> {
  const { previous } = facts;
  const session = sessionOf(server, facts);
  if (previous !== undefined) await endSession(server, previous);
  await Promise.all([
    server.store.put(['session', session.id], session, server.lifetimes.session),
    server.store.put(['session_by_sid', session.sid], session.id, server.lifetimes.session),
  ]);
  return session;
}

/** The session that a login would start. */
export function sessionOf(
  server: Pick<AuthorizationServer, 'clock' | 'random'>,
  { user, method, acr, edited, previous }: LoginFacts,
): Session {
  return {
    id: server.random.secret(),
    sid: previous?.sub === user.sub ? previous.sid : server.random.id(),
    sub: user.sub,
    auth_time: server.clock(),
    acr: acr ?? (method === 'password' ? '1' : '0'),
    amr: method === 'password' ? ['pwd'] : ['user'],
    ...(edited === undefined ? {} : { ...editedStrength(edited), edited }),
  };
}

/** The strength of the login if somebody edited it. The typed values were checked before. */
function editedStrength({ set: { acr, amr } }: LoginClaims): { acr?: string; amr?: readonly string[] } {
  return {
    ...(acr === undefined ? {} : { acr: String(acr) }),
    ...(Array.isArray(amr) ? { amr: amr.map(String) } : {}),
  };
}

/** The session of a cookie, if it is still alive and its user still exists. */
export async function findSession(server: AuthorizationServer, id: string | undefined): Promise<Session | undefined> {
  if (id === undefined) return undefined;
  const session = await server.store.get<Session>(['session', id]);
  return session !== undefined && server.users.has(session.sub) ? session : undefined;
}

/** The session with a `sid`, the id that clients know. */
export async function findSessionBySid(server: AuthorizationServer, sid: string): Promise<Session | undefined> {
  const session = await findSession(server, await server.store.get<string>(['session_by_sid', sid]));
  return session?.sid === sid ? session : undefined;
}

export function endSession(server: AuthorizationServer, session: Session): Promise<void> {
  return server.store.delete(['session', session.id]);
}
