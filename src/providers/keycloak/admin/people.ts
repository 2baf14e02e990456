import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { missing } from '../../management/call.ts';
import {
  changeUser,
  type ManagedUser,
  managedUser,
  managedUsers,
  removeUser,
  switchUser,
} from '../../management/users.ts';
import { type Realm, requireRoom } from './realm.ts';

/** A user of the realm as the admin API sees it, or the user of a service account. */
export interface RealmUser extends ManagedUser {
  readonly id: string;
  /** The client whose service account it is. */
  readonly client?: string;
}

const taken = 'User exists with same username';

/** All users by their names, without service accounts. */
export function people(realm: Realm): readonly RealmUser[] {
  const all = managedUsers(realm).map(user => personOf(realm, user));
  return all.toSorted((a, b) => (a.username < b.username ? -1 : Number(a.username > b.username)));
}

function personOf({ ids }: Realm, user: ManagedUser): RealmUser {
  return { id: ids.idOf('user', user.sub), ...user };
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
    isHere: true,
    client: client_id,
  }));
}

/** The roles of a service account by the names that the claims of a user have. */
function rolesIn({ realm_access, resource_access }: AnyMembers): AnyMembers {
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
  const sub = ids.nameOf('user', id, server.users) ?? ids.nameOf('user', id, state.away);
  const found = sub === undefined ? undefined : (server.users.get(sub) ?? state.away.get(sub));
  if (found !== undefined) return personOf(realm, managedUser({ ...found }, server.users.has(String(sub))));
  return serviceAccounts(realm).find(each => each.id === id) ?? missing('User not found', id);
}

/** Replaces members of the entry of a user; `null` takes one away. */
export function changePerson(realm: Realm, person: RealmUser, members: AnyMembers): Promise<void> {
  return changeUser(realm, person, members, taken);
}

/** The members of an entry with another password; `null` for none. */
export function passwordMembers(password: string | null): AnyMembers {
  return { password, password_hash: null };
}

/** Enables or disables a user. */
export function switchPerson(realm: Realm, person: RealmUser, isOn: boolean): Promise<void> {
  const { away } = realm.state;
  return switchUser(realm, person, isOn, { taken, requireRoom: () => requireRoom(away.size, 'disabled users') });
}

/** Takes a user away, with their sessions and tokens. */
export async function removePerson(realm: Realm, person: RealmUser): Promise<void> {
  await removeUser(realm, person);
  realm.state.users.delete(person.sub);
}
