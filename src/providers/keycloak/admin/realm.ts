import type { EventLog } from '../../../base/events/event-log.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { builtInClients } from '../../../extensions/import/keycloak/clients.ts';
import { isUuid, stableId } from '../../../protocol/random.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid, missing } from '../../management/call.ts';
import { emptiedByReset } from '../../management/kept.ts';

/** The realm that the calls of the admin API work on. */
export interface Realm extends Omit<ManagedIssuer, 'adapter'> {
  readonly name: string;
  readonly ids: StableIds;
  readonly state: RealmState;
  /** `http://localhost:9000/admin/realms/demo` */
  readonly at: string;
}

/** The address of an entry below the realm. */
export function addressOf({ at }: Realm, ...steps: readonly string[]): string {
  return [at, ...steps.map(encodeURIComponent)].join('/');
}

/** The issuer of the realm `master`, which is there for the admin alone. */
export function masterOf({ address }: Pick<Realm, 'address'>): string {
  return `${address}/realms/master`;
}

/** More than a realm for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only the admin API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw inputInvalid(`there are ${count} ${what}: remove some first`);
}

/** The names of all clients, those that each realm has among them. */
export function clientNames({ server, state }: Realm): ReadonlySet<string> {
  return new Set([...server.clients.keys(), ...state.clients.keys(), ...builtInClients]);
}

/**
 * The `client_id` of a UUID; the `client_id` itself is accepted, too.
 * @throws 404
 */
export function clientNamed(realm: Realm, id = '', words = 'Could not find client'): string {
  return realm.ids.nameOf('client', id, clientNames(realm)) ?? missing(words, id);
}

/** Client scopes of each realm that tokens do not name. */
export const builtInScopes: readonly string[] = ['web-origins', 'acr', 'roles', 'basic'];

/** The names of all client scopes. `openid` is none in a realm. */
export function scopeNames({ server }: Realm): ReadonlySet<string> {
  return new Set([...server.scopes.keys(), ...builtInScopes].filter(name => name !== 'openid').toSorted());
}

/**
 * The name of a client scope by its UUID, or by the name itself.
 * @throws 404
 */
export function scopeNamed(realm: Realm, id = '', words = 'Could not find client scope'): string {
  return realm.ids.nameOf('scope', id, scopeNames(realm)) ?? missing(words, id);
}

/** UUIDs of names, for providers that have UUIDs where the sandbox has names. */
interface StableIds {
  /** The name itself if it is a UUID. */
  idOf(kind: string, name: string): string;
  /** The name with that UUID. The name itself is accepted in place of its UUID. */
  nameOf(kind: string, id: string, known: { has(name: string): boolean; keys(): Iterable<string> }): string | undefined;
}

/** Most UUIDs that are remembered: users and clients come and go. */
const mostMade = 10_000;

/**
 * `space` makes the UUIDs of two issuers differ. Each UUID is computed once. `chosen` has UUIDs that callers chose, by the
 * kind, a space and the name.
 */
export function createStableIds(space: string, chosen: ReadonlyMap<string, string> = new Map()): StableIds {
  const made = new Map<string, string>();
  function idOf(kind: string, name: string): string {
    const key = `${kind} ${name}`;
    if (isUuid(name)) return chosen.get(key) ?? name;
    const id = chosen.get(key) ?? made.get(key) ?? stableId(space, kind, name);
    if (made.size >= mostMade) made.clear(); // they are computed again
    made.set(key, id);
    return id;
  }
  return {
    idOf,
    nameOf(kind, id, known) {
      if (known.has(id)) return id;
      if (!isUuid(id)) return undefined;
      for (const name of known.keys()) if (idOf(kind, name) === id) return name;
      return undefined;
    },
  };
}

interface RoleFacts {
  readonly description?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Keys of the roles that it is composed of. */
  readonly parts: ReadonlySet<string>;
}

/** A group that was created, or of which more is known than its path. */
export interface GroupFacts {
  /** Kept when the group gets another name. */
  readonly id: string;
  readonly description?: string;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Keys of the roles that its members have. */
  readonly roles: ReadonlySet<string>;
}

/** The facts about a user that only the admin API of a realm keeps. */
interface UserRecord {
  /** Milliseconds since 1970. */
  readonly createdTimestamp: number;
  readonly requiredActions: readonly string[];
}

/** All that the admin API keeps, because an entry of the configuration has no place for it. */
export interface RealmState {
  /** By the key of the role. */
  readonly roles: Map<string, RoleFacts>;
  /** By full path. */
  readonly groups: Map<string, GroupFacts>;
  /** By `sub`. */
  readonly users: Map<string, UserRecord>;
  /** Entries of disabled users, by `sub`. */
  readonly away: Map<string, AnyMembers>;
  /** By `client_id`: a client as it was sent, and the entry that was made of it; none for a client that can get no tokens. */
  readonly clients: Map<string, { readonly sent: AnyMembers; readonly entry: AnyMembers | undefined }>;
  /** Members of the realm that the sandbox has no use for. */
  readonly realm: Map<string, unknown>;
  /** UUIDs that callers chose for new clients: `client shop`. */
  readonly ids: Map<string, string>;
  /** Milliseconds since 1970: for users of the configuration. */
  readonly since: number;
}

/** An empty state. `since` is in milliseconds since 1970. */
export function createState(events: EventLog, since: number): RealmState {
  const maps = emptiedByReset(events, {
    roles: new Map(),
    groups: new Map(),
    users: new Map(),
    away: new Map(),
    clients: new Map(),
    realm: new Map(),
    ids: new Map(),
  });
  return { ...maps, since };
}
