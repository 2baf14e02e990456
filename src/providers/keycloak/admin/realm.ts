import { builtInClients } from '../../../extensions/import/keycloak/clients.ts';
import { isUuid, stableId } from '../../../protocol/random.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid, missing } from '../../management/call.ts';
import type { RealmState } from './state.ts';

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
