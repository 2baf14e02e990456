import { hash } from 'node:crypto';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
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
  readonly edited?: LoginClaims;
  /** The earlier session of this browser, which ends. */
  readonly previous?: Session;
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

interface SessionEntry {
  readonly id: string;
  readonly client_id: string;
}

interface SessionContents {
  readonly clients: readonly string[];
  readonly authorizations: readonly SessionEntry[];
}

/** The most clients and refreshable authorizations a session remembers; beyond it the oldest may be forgotten. */
const places = { session_client: 32, session_authorization: 64 } as const;
type Kind = keyof typeof places;

/**
 * Records whom to notify of a logout (OIDC Back-Channel Logout §2.3, Front-Channel Logout §2), and whose refresh tokens end
 * with the session: those without `offline_access` (Back-Channel §2.7).
 */
export async function joinSession(
  server: AuthorizationServer,
  { client_id, grant_types }: Pick<RegisteredClient, 'client_id' | 'grant_types'>,
  { id, session, scopes }: Pick<Authorization, 'id' | 'session' | 'scopes'>,
): Promise<void> {
  const sid = session?.sid;
  if (sid === undefined) return;
  await keep(server, 'session_client', sid, { id: client_id, client_id });
  const endsWithSession = grant_types.includes('refresh_token') && !scopes.includes('offline_access');
  if (endsWithSession) await keep(server, 'session_authorization', sid, { id, client_id });
}

/** The clients that have received something in this session so far. */
export async function clientsOfSession({ store }: AuthorizationServer, sid: string): Promise<readonly string[]> {
  return clientIds(await Promise.all(keysOf('session_client', sid).map(key => store.get<SessionEntry>(key))));
}

/** Takes and deletes the contents of a session at its end, so that of two logouts at once only one notifies each client. */
export async function takeSessionContents({ store }: AuthorizationServer, sid: string): Promise<SessionContents> {
  const take = (kind: Kind) => Promise.all(keysOf(kind, sid).map(key => store.take<SessionEntry>(key)));
  const clients = clientIds(await take('session_client'));
  const authorizations = (await take('session_authorization')).filter(entry => entry !== undefined);
  return { clients, authorizations };
}

function clientIds(entries: readonly (SessionEntry | undefined)[]): readonly string[] {
  return [...new Set(entries.flatMap(entry => entry?.client_id ?? []))].sort();
}

function keysOf(kind: Kind, sid: string, start = 0): (readonly [Kind, string])[] {
  const count = places[kind];
  return Array.from({ length: count }, (_, index) => [kind, `${sid}.${(start + index) % count}`] as const);
}

/**
 * Each entry has its own place, derived from its id, and takes it in one step, so that two requests of one browser at
 * once do not overwrite each other. An entry that comes again is stored again.
 */
async function keep(server: AuthorizationServer, kind: Kind, sid: string, entry: SessionEntry): Promise<void> {
  const { store, lifetimes } = server;
  const lifetime = kind === 'session_client' ? lifetimes.session : Math.max(lifetimes.session, lifetimes.refreshToken);
  const keys = keysOf(kind, sid, hash('sha256', entry.id, 'buffer').readUInt16BE());
  for (const key of keys) {
    if (await store.add(key, entry, lifetime)) return;
    const there = await store.get<SessionEntry>(key);
    if (there?.id === entry.id) return store.put(key, entry, lifetime);
  }
  const [first] = keys;
  if (first !== undefined) await store.put(first, entry, lifetime);
}

/** The state that the `check_session_iframe` may read (OIDC Session Management §3.2). It does not reveal the session's id. */
export function browserState({ id }: Pick<Session, 'id'>): string {
  return hash('sha256', `browser state ${id}`, 'base64url');
}

/**
 * `session_state` of an authentication response (OIDC Session Management §2, §3.2): the iframe computes the same hash
 * from the browser's cookie. Absent for a redirect URI without an origin, such as an app's own scheme, because no iframe
 * can ask there.
 */
export function sessionStateParameter(
  { features, random }: Pick<AuthorizationServer, 'features' | 'random'>,
  session: Pick<Session, 'id'>,
  { client_id, redirect_uri, scopes }: Pick<AuthorizationRequest, 'client_id' | 'redirect_uri' | 'scopes'>,
): { readonly session_state?: string } {
  if (!features.has('session-management') || !scopes.includes('openid')) return {};
  const { origin } = new URL(redirect_uri);
  if (origin === 'null') return {};
  const salt = random.id();
  const digest = hash('sha256', [client_id, origin, browserState(session), salt].join(' '), 'hex');
  return { session_state: `${digest}.${salt}` };
}
