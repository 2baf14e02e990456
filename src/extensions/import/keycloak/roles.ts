import type { Budget } from '../budget.ts';
import {
  at,
  type ExportPart,
  entriesIn,
  ignores,
  reads,
  recordsIn,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from '../members.ts';

/** Roles by where they are: in the realm, or in a client. */
export interface Roles {
  readonly realm: ReadonlySet<string>;
  readonly clients: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A role: its client, and its name. Roles of the realm have no client. */
export type Role = readonly [client: string | undefined, name: string];

const roleUses: UseTable = {
  ...reads('name composites'),
  ...ignores('id description scopeParamRequired composite clientRole containerId'),
  attributes: { lost: 'attributes of roles are in no token' },
};

/** Resolves composite roles. */
export interface RoleBook {
  /** The roles with those they are composed of. */
  resolve(roles: readonly Role[]): Roles;
}

/** Reads `roles` of an export. */
export function readRoles(found: ExportPart, budget: Budget): RoleBook {
  const parts = new Map<string, readonly Role[]>();
  for (const role of recordsIn(at(found, 'realm'))) readRole(parts, undefined, role);
  for (const [client, roles] of entriesIn(at(found, 'client')))
    for (const role of recordsIn(roles)) readRole(parts, client, role);
  return { resolve: roles => resolved(parts, roles, budget) };
}

function readRole(parts: Map<string, readonly Role[]>, client: string | undefined, found: ExportPart): void {
  const name = textIn(at(found, 'name'));
  if (name === undefined) return;
  tellLost(found, roleUses, 'a role');
  const composites = rolesIn(at(at(found, 'composites'), 'realm'), at(at(found, 'composites'), 'client'));
  if (composites.length > 0) parts.set(keyOf([client, name]), composites);
}

/** The roles that a user, a group or a composite role names. */
export function rolesIn(realm: ExportPart, client: ExportPart): readonly Role[] {
  return [
    ...textsIn(realm).map((name): Role => [undefined, name]),
    ...entriesIn(client).flatMap(([id, names]) => textsIn(names).map((name): Role => [id, name])),
  ];
}

const keyOf = (role: Role) => JSON.stringify(role);

function resolved(parts: ReadonlyMap<string, readonly Role[]>, roles: readonly Role[], budget: Budget): Roles {
  const realm = new Set<string>();
  const clients = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const open = [...roles].reverse();
  for (let role = open.pop(); role !== undefined; role = open.pop()) {
    const key = keyOf(role);
    if (seen.has(key)) continue; // a role may be part of itself
    seen.add(key);
    budget.spend(1);
    const [client, name] = role;
    const names = client === undefined ? realm : (clients.get(client) ?? new Set());
    names.add(name);
    if (client !== undefined) clients.set(client, names);
    for (const part of (parts.get(key) ?? []).toReversed()) open.push(part);
  }
  return { realm, clients };
}

/** Roles that the preset gives to each user by itself. */
const accountRoles = ['manage-account', 'manage-account-links', 'view-profile'];

/** The roles as the claims `roles` and `client_roles`, without those that the preset adds. */
export function roleClaims({ realm, clients }: Roles, realmName: string) {
  const added = [
    `default-roles-${realmName.toLowerCase()}`,
    `default-roles-${realmName}`,
    'offline_access',
    'uma_authorization',
  ];
  const roles = [...realm].filter(name => !added.includes(name));
  const others = [...clients].map(([client, names]): [string, string[]] => [
    client,
    [...names].filter(name => client !== 'account' || !accountRoles.includes(name)),
  ]);
  const ofClients = others.filter(([, names]) => names.length > 0);
  return {
    ...(roles.length > 0 && { roles }),
    ...(ofClients.length > 0 && { client_roles: Object.fromEntries(ofClients) }),
  };
}
