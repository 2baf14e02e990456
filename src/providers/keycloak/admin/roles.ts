import { isRecord } from '../../../base/text/record.ts';
import { entryUnknown } from '../../management/call.ts';
import { people, type RealmUser, serviceAccounts } from './people.ts';
import type { Realm, RealmState } from './realm.ts';
import { adminRoles } from './rights.ts';

/** A role of a client, or of the realm. */
export interface RealmRole {
  readonly client?: string;
  readonly name: string;
}

/** The text that stands for a role in sets. */
export function keyOf({ client, name }: RealmRole): string {
  return JSON.stringify(client === undefined ? [name] : [name, client]);
}

/** The role of a key. */
export function roleOf(key: string): RealmRole {
  const [name, client] = JSON.parse(key) as readonly [string, string?]; // by keyOf
  return client === undefined ? { name } : { name, client };
}

const builtInRoles: Readonly<Record<string, readonly string[]>> = {
  account: ['delete-account', 'manage-account', 'manage-account-links', 'manage-consent', 'view-applications'].concat([
    'view-consent',
    'view-groups',
    'view-profile',
  ]),
  broker: ['read-token'],
  'realm-management': adminRoles,
};

/** Roles that the tokens of every user have. */
export function defaultRoles({ name }: Pick<Realm, 'name'>): readonly RealmRole[] {
  return [
    ...[`default-roles-${name}`, 'offline_access', 'uma_authorization'].map(each => ({ name: each })),
    ...['manage-account', 'manage-account-links', 'view-profile'].map(each => ({ name: each, client: 'account' })),
  ];
}

/** The roles in the claims of a user. */
export function rolesIn({ roles, client_roles }: RealmUser['claims']): readonly RealmRole[] {
  const textsIn = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return [
    ...textsIn(roles).map(name => ({ name })),
    ...Object.entries(isRecord(client_roles) ? client_roles : {}).flatMap(([client, names]) =>
      textsIn(names).map(name => ({ client, name })),
    ),
  ];
}

/** The claims of these roles. */
export function roleClaims(keys: Iterable<string>): { roles: string[]; client_roles: Record<string, string[]> } {
  const all = [...keys].map(roleOf);
  const clients = [...new Set(all.flatMap(({ client }) => client ?? []))];
  const namesOf = (client: string | undefined) => all.filter(each => each.client === client).map(({ name }) => name);
  return {
    roles: namesOf(undefined),
    client_roles: Object.fromEntries(clients.map(client => [client, namesOf(client)])),
  };
}

/** The roles with all that they are composed of. */
export function withParts({ roles }: Pick<RealmState, 'roles'>, keys: Iterable<string>): ReadonlySet<string> {
  const all = new Set(keys);
  for (const key of all) for (const part of roles.get(key)?.parts ?? []) all.add(part); // a set grows while it is read
  return all;
}

/** The roles that a realm or one of its clients has: those that were created, and those that somebody has. */
export function knownRoles(realm: Realm, client?: string): readonly string[] {
  const held = [...people(realm), ...serviceAccounts(realm)].flatMap(({ claims }) => rolesIn(claims));
  const inGroups = [...realm.state.groups.values()].flatMap(({ roles }) => [...roles].map(roleOf));
  const all = [...defaultRoles(realm), ...held, ...inGroups, ...[...realm.state.roles.keys()].map(roleOf)];
  const names = all.filter(role => role.client === client).map(({ name }) => name);
  const builtIn = client !== undefined && Object.hasOwn(builtInRoles, client) ? builtInRoles[client] : [];
  return [...new Set([...names, ...(builtIn ?? [])])].toSorted();
}

/** @throws 404 for a role that the realm or the client does not have */
export function requireRole(realm: Realm, role: RealmRole, words = 'Could not find role'): RealmRole {
  if (!knownRoles(realm, role.client).includes(role.name)) throw entryUnknown(words, role.name);
  return role;
}

/** A role as the admin API answers it (RoleRepresentation.java). */
export function roleRepresentation(realm: Realm, role: RealmRole, isBrief = true): object {
  const { ids, state, name: realmName } = realm;
  const { client, name } = role;
  const { description, attributes = {}, parts } = state.roles.get(keyOf(role)) ?? {};
  const isDefault = client === undefined && name === `default-roles-${realmName}`;
  return {
    id: idOfRole(realm, role),
    name,
    ...(description !== undefined && { description }),
    composite: isDefault || (parts !== undefined && parts.size > 0),
    clientRole: client !== undefined,
    containerId: client === undefined ? ids.idOf('realm', realmName) : ids.idOf('client', client),
    ...(!isBrief && { attributes }),
  };
}

/** The UUID of a role. */
export function idOfRole({ ids }: Realm, role: RealmRole): string {
  return ids.idOf('role', keyOf(role));
}
