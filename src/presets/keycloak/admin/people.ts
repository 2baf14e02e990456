import { isRecord } from '../../../text/record.ts';
import { entryUnknown } from '../../management/refusals.ts';
import { apply, type Realm, requireRoom } from './realm.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A user of the realm as the admin API sees it, or the user of a service account. */
export interface RealmUser {
  readonly id: string;
  readonly sub: string;
  readonly username: string;
  readonly hasPassword: boolean;
  readonly claims: Claims;
  readonly isEnabled: boolean;
  /** The client whose service account it is. */
  readonly client?: string;
}

/** All users by their names, without service accounts. */
export function people(realm: Realm): readonly RealmUser[] {
  const { server, state } = realm;
  const enabled = [...server.users.values()].map(user => personOf(realm, { ...user }, true));
  const disabled = [...state.disabled].filter(([sub]) => !server.users.has(sub));
  const all = [...enabled, ...disabled.map(([, entry]) => personOf(realm, entry, false))];
  return all.toSorted((a, b) => (a.username < b.username ? -1 : Number(a.username > b.username)));
}

function personOf({ ids }: Realm, user: Claims, isEnabled: boolean): RealmUser {
  const sub = String(user.sub);
  const claims = isRecord(user.claims) ? user.claims : {};
  const username = typeof user.username === 'string' ? user.username : sub;
  return {
    id: ids.idOf('user', sub),
    sub,
    username,
    hasPassword: (user.password ?? user.password_hash) !== undefined,
    claims,
    isEnabled,
  };
}

/** The users of all service accounts (RFC 6749 §4.4): clients that may ask for tokens of their own. */
export function serviceAccounts(realm: Realm): readonly RealmUser[] {
  const clients = [...realm.server.clients.values()].filter(each => each.grant_types.includes('client_credentials'));
  return clients.map(({ client_id, access_token_claims }) => ({
    id: realm.ids.idOf('service account', client_id),
    sub: client_id,
    username: `service-account-${client_id}`,
    hasPassword: false,
    claims: rolesIn(access_token_claims),
    isEnabled: true,
    client: client_id,
  }));
}

/** The roles of a service account by the names that the claims of a user have. */
function rolesIn({ realm_access, resource_access }: Claims): Claims {
  const namesIn = (access: unknown) => (isRecord(access) && Array.isArray(access.roles) ? access.roles : []);
  const clients = Object.entries(isRecord(resource_access) ? resource_access : {});
  return {
    roles: namesIn(realm_access),
    client_roles: Object.fromEntries(clients.map(([client, access]) => [client, namesIn(access)])),
  };
}

/**
 * The user with an id: a UUID, or the `sub` itself.
 * @throws 404
 */
export function personWith(realm: Realm, id = ''): RealmUser {
  const { server, state, ids } = realm;
  const sub = ids.nameOf('user', id, server.users) ?? ids.nameOf('user', id, state.disabled);
  const found = sub === undefined ? undefined : (server.users.get(sub) ?? state.disabled.get(sub));
  if (found !== undefined) return personOf(realm, { ...found }, server.users.has(String(sub)));
  const account = serviceAccounts(realm).find(each => each.id === id);
  if (account === undefined) throw entryUnknown('User not found', id);
  return account;
}

/** Replaces members of the entry of a user; `null` takes one away. */
export async function changePerson(realm: Realm, { sub, isEnabled }: RealmUser, members: Claims): Promise<void> {
  if (isEnabled) return apply(realm, { kind: 'user.patch', sub, members }, 'User exists with same username');
  const merged = Object.entries({ ...realm.state.disabled.get(sub), ...members }).filter(([, value]) => value !== null);
  realm.state.disabled.set(sub, Object.fromEntries(merged));
}

/** The members of an entry with another password; `null` for none. */
export function passwordMembers(password: string | null): Claims {
  return { password, password_hash: null };
}

/** A disabled user leaves the sandbox, which has no users that may not log in, and stays in the admin API. */
export async function switchPerson(realm: Realm, { sub, isEnabled }: RealmUser, isOn: boolean): Promise<void> {
  const { state, control } = realm;
  if (isOn === isEnabled) return;
  if (!isOn) {
    requireRoom(state.disabled.size, 'disabled users');
    state.disabled.set(sub, control.userEntry(sub) ?? { sub });
    return apply(realm, { kind: 'user.delete', sub });
  }
  const members = state.disabled.get(sub) ?? { sub };
  await apply(realm, { kind: 'user.create', members }, 'User exists with same username');
  state.disabled.delete(sub);
}

/** Takes a user away, with their sessions and tokens. */
export async function removePerson(realm: Realm, { sub, isEnabled }: RealmUser): Promise<void> {
  const { state } = realm;
  if (isEnabled) await apply(realm, { kind: 'user.delete', sub });
  state.disabled.delete(sub);
  state.users.delete(sub);
}
