import { hash } from 'node:crypto';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';

/** A client that received a code or a token in a session. */
interface SessionEntry {
  /** The `client_id`, or the id of an authorization. */
  readonly id: string;
  readonly client_id: string;
}

/** The clients to notify and the tokens to revoke when a session ends. */
interface SessionContents {
  /** Each `client_id` once, in alphabetical order. */
  readonly clients: readonly string[];
  /** Authorizations whose refresh tokens end with the session. */
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
