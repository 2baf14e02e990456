import { hash } from 'node:crypto';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';

/** A client that received a code or a token in a session. */
export interface SessionEntry {
  /** The `client_id`, or of an authorization its id. */
  readonly id: string;
  readonly client_id: string;
}

/** The clients to notify and the tokens to revoke when a session ends. */
export interface SessionContents {
  /** `client_id`s, each once, by name. */
  readonly clients: readonly string[];
  /** Those whose refresh tokens end with the session. */
  readonly authorizations: readonly SessionEntry[];
}

/** The most clients and refreshable authorizations a session remembers; beyond it the oldest may be forgotten. */
const places = { session_client: 32, session_authorization: 64 } as const;
type Kind = keyof typeof places;

/**
 * Notes that a client has got a code or tokens in a session, so that it is told of the logout (OIDC Back-Channel Logout §2.3,
 * Front-Channel Logout §2), and which refresh tokens end with it: those without `offline_access` (Back-Channel §2.7).
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

/** Who has got something in this session so far. */
export async function clientsOfSession({ store }: AuthorizationServer, sid: string): Promise<readonly string[]> {
  return clientIds(await Promise.all(keysOf('session_client', sid).map(key => store.get<SessionEntry>(key))));
}

/** The same for its end, and forgets it: of two logouts at once, one tells each client. */
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
 * Every entry has a place of its own, found from its id, and takes it in one step: of two requests of one browser at the same
 * moment neither overwrites the other. An entry that comes again is kept anew.
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
