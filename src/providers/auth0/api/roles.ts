import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryTaken, inputInvalid, type ManagementCall, missing } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { type ManagedUser, managedUsers } from '../../management/users.ts';
import { answered, listed } from './answers.ts';
import { idOf, type Permission, requireRoom, type Tenant } from './tenant.ts';
import { brief, changeClaims, personWith, textsIn } from './user-representation.ts';

const read = ['read:roles'];
const update = ['update:roles'];

/** The roles of a tenant: those that users have, and those that were created. */
export const roleCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /roles', 'roles, by `name_filter`', read, ({ query }, tenant) => {
    const filter = query.get('name_filter')?.toLowerCase() ?? '';
    const found = roleNames(tenant).filter(name => name.toLowerCase().includes(filter));
    return listed(found, query, 'roles', name => roleView(tenant, name));
  }),
  call('POST /roles', 'creates a role', ['create:roles'], create),
  call('GET /roles/{role}', 'a role', read, ({ names }, tenant) =>
    answered(roleView(tenant, roleWith(tenant, names.role))),
  ),
  call('PATCH /roles/{role}', 'changes the name or the description of a role', update, change),
  call('DELETE /roles/{role}', 'removes a role, also from its users', ['delete:roles'], ({ names }, tenant) =>
    rename(tenant, roleWith(tenant, names.role), undefined),
  ),
  call('GET /roles/{role}/permissions', 'the permissions of a role', read, ({ names, query }, tenant) =>
    listed(permissionsOf(tenant, roleWith(tenant, names.role)), query, 'permissions', permissionView),
  ),
  call('POST /roles/{role}/permissions', 'adds permissions to a role', update, ({ names, body }, tenant) =>
    setPermissions(tenant, roleWith(tenant, names.role), (before, sent) => [...without(before, sent), ...sent], body),
  ),
  call('DELETE /roles/{role}/permissions', 'removes permissions from a role', update, ({ names, body }, tenant) =>
    setPermissions(tenant, roleWith(tenant, names.role), without, body),
  ),
  call('GET /roles/{role}/users', 'the users with a role', ['read:users'], ({ names, query }, tenant) => {
    const name = roleWith(tenant, names.role);
    const holders = managedUsers(tenant).filter(({ claims }) => textsIn(claims.roles).includes(name));
    return listed(holders, query, 'users', each => brief(tenant, each));
  }),
  call('POST /roles/{role}/users', 'gives users a role', update, async ({ names, body }, tenant) => {
    const name = roleWith(tenant, names.role);
    const { users = [] } = membersIn(body, { users: 'texts' });
    for (const person of users.map(id => personWith(tenant, id)))
      await saveRoles(tenant, person, [...textsIn(person.claims.roles), name]);
    return answered({});
  }),
  call('GET /users/{user}/roles', 'the roles of a user', ['read:users', 'read:roles'], ({ names, query }, tenant) =>
    listed(textsIn(personWith(tenant, names.user).claims.roles), query, 'roles', name => roleView(tenant, name)),
  ),
  call('POST /users/{user}/roles', 'gives a user roles', ['update:users'], ({ names, body }, tenant) =>
    changeRoles(tenant, names.user, body, added),
  ),
  call('DELETE /users/{user}/roles', 'takes roles from a user', ['update:users'], ({ names, body }, tenant) =>
    changeRoles(tenant, names.user, body, removed),
  ),
  call('GET /users/{user}/permissions', 'the permissions of a user', ['read:users'], ({ names, query }, tenant) => {
    const { claims } = personWith(tenant, names.user);
    const resource_server_identifier = anyApi(tenant);
    return listed(textsIn(claims.permissions), query, 'permissions', permission_name =>
      permissionView({ permission_name, resource_server_identifier }),
    );
  }),
  call('POST /users/{user}/permissions', 'gives a user permissions', ['update:users'], ({ names, body }, tenant) =>
    changePermissions(tenant, names.user, body, added),
  ),
  call(
    'DELETE /users/{user}/permissions',
    'takes permissions from a user',
    ['update:users'],
    ({ names, body }, tenant) => changePermissions(tenant, names.user, body, removed),
  ),
];

function roleNames(tenant: Tenant): readonly string[] {
  const held = managedUsers(tenant).flatMap(({ claims }) => textsIn(claims.roles));
  return [...new Set([...tenant.state.roles.keys(), ...held])].toSorted();
}

const roleId = (name: string) => idOf('rol', name);

/** The name of the role with an id. @throws 404 */
export function roleWith(tenant: Tenant, id = ''): string {
  return roleNames(tenant).find(name => roleId(name) === id) ?? missing('The role does not exist.', id);
}

/** A role as the Management API answers it. */
export function roleView({ state }: Tenant, name: string): object {
  return { id: roleId(name), name, description: state.roles.get(name)?.description ?? '' };
}

function create({ body }: CallInput, tenant: Tenant): Answer {
  const { name = '', description } = membersIn(body, { name: 'text', description: 'text' });
  if (name === '') throw inputInvalid("Payload validation error: 'Missing required property: name'.");
  if (roleNames(tenant).includes(name)) throw entryTaken('A role with this name already exists.');
  requireRoom(tenant.state.roles);
  tenant.state.roles.set(name, { permissions: [], ...(description !== undefined && { description }) });
  return answered(roleView(tenant, name));
}

async function change({ names, body }: CallInput, tenant: Tenant): Promise<Answer> {
  const before = roleWith(tenant, names.role);
  const { name = before, description } = membersIn(body, { name: 'text', description: 'text' });
  if (name !== before && roleNames(tenant).includes(name)) throw entryTaken('A role with this name already exists.');
  const facts = tenant.state.roles.get(before) ?? { permissions: [] };
  if (name !== before) await rename(tenant, before, name);
  tenant.state.roles.set(name, { ...facts, ...(description !== undefined && { description }) });
  return answered(roleView(tenant, name));
}

/** Gives a role another name, or removes it. The permissions that users got by it change with it. */
async function rename(tenant: Tenant, before: string, after: string | undefined): Promise<void> {
  for (const person of managedUsers(tenant)) {
    const roles = textsIn(person.claims.roles);
    if (!roles.includes(before)) continue;
    const renamed = roles.flatMap(name => (name === before ? (after ?? []) : name));
    await saveRoles(tenant, person, renamed);
  }
  tenant.state.roles.delete(before);
}

async function saveRoles(tenant: Tenant, person: ManagedUser, roles: readonly string[]): Promise<void> {
  await changeClaims(tenant, person, { roles: [...new Set(roles)] });
}

async function changeRoles(tenant: Tenant, user: string | undefined, body: unknown, next: NextNames): Promise<void> {
  const person = personWith(tenant, user);
  const { roles = [] } = membersIn(body, { roles: 'texts' });
  const sent = roles.map(id => roleWith(tenant, id));
  await saveRoles(tenant, person, next(textsIn(person.claims.roles), sent));
}

/** The names after a change. */
export type NextNames = (before: readonly string[], sent: readonly string[]) => readonly string[];

/** The names with those that were sent. */
export const added: NextNames = (before, sent) => [...before, ...sent];

/** The names without those that were sent. */
export const removed: NextNames = (before, sent) => before.filter(name => !sent.includes(name));

async function changePermissions(
  tenant: Tenant,
  user: string | undefined,
  body: unknown,
  next: NextNames,
): Promise<void> {
  const person = personWith(tenant, user);
  const names = permissionsIn(body).map(({ permission_name }) => permission_name);
  await changeClaims(tenant, person, { permissions: [...new Set(next(textsIn(person.claims.permissions), names))] });
}

function permissionsOf({ state }: Tenant, role: string): readonly Permission[] {
  return state.roles.get(role)?.permissions ?? [];
}

function permissionsIn(body: unknown): readonly Permission[] {
  const { permissions = [] } = membersIn(body, { permissions: 'records' });
  return permissions.map(each => {
    const { permission_name, resource_server_identifier } = membersIn(each, {
      permission_name: 'text',
      resource_server_identifier: 'text',
    });
    if (permission_name === undefined || resource_server_identifier === undefined)
      throw inputInvalid('each permission needs permission_name and resource_server_identifier');
    return { permission_name, resource_server_identifier };
  });
}

function setPermissions(
  tenant: Tenant,
  role: string,
  next: (before: readonly Permission[], sent: readonly Permission[]) => readonly Permission[],
  body: unknown,
): Answer {
  const facts = tenant.state.roles.get(role) ?? { permissions: [] };
  tenant.state.roles.set(role, { ...facts, permissions: next(facts.permissions, permissionsIn(body)) });
  return answered({}, 201);
}

function without(before: readonly Permission[], sent: readonly Permission[]): readonly Permission[] {
  const keyOf = (each: Permission) => JSON.stringify([each.resource_server_identifier, each.permission_name]);
  const gone = new Set(sent.map(keyOf));
  return before.filter(each => !gone.has(keyOf(each)));
}

function permissionView({ permission_name, resource_server_identifier }: Permission): object {
  return {
    permission_name,
    resource_server_identifier,
    resource_server_name: resource_server_identifier,
    description: '',
  };
}

/** The API of the permissions of a user, which have none here: the first audience of a client. */
function anyApi({ server }: Tenant): string {
  return [...server.clients.values()].flatMap(({ audience }) => audience)[0] ?? `${server.issuer}/api`;
}
