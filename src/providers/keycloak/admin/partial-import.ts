import type { AnyMembers } from '../../../base/text/record.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryTaken, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { createClient, removeClient } from './clients.ts';
import { createGroup, groupPaths, idOfGroup, removeGroup } from './groups.ts';
import { people, removePerson } from './people.ts';
import { clientNames, type Realm } from './realm.ts';
import { needs } from './rights.ts';
import { createRole, removeRole } from './role-calls.ts';
import { idOfRole, keyOf, knownRoles, type RealmRole, rolesIn } from './roles.ts';
import { createUser } from './users.ts';

/** A part of an import: its kind and its name, and how to see, make and remove it. */
interface Part {
  readonly resourceType: string;
  readonly resourceName: string;
  /** Words for an import that must not meet one that exists. */
  readonly taken: string;
  exists(): boolean;
  id(): string;
  create(): unknown;
  remove(): Promise<void>;
}

const importShape = {
  ifResourceExists: 'text',
  users: 'records',
  clients: 'records',
  groups: 'records',
  roles: 'record',
} as const satisfies Shape;

/** Imports a part of a realm export into the running realm (PartialImportManager.java). */
export const partialImportCall: ManagementCall<Realm> = call(
  'POST /partialImport',
  'creates clients, roles, groups and users of an export; `ifResourceExists` is `FAIL`, `SKIP` or `OVERWRITE`',
  needs.manageRealm,
  run,
  { mostBytes: 1024 * 1024 },
);

async function run({ body }: CallInput, realm: Realm): Promise<Answer> {
  const sent = membersIn(body, importShape);
  const { ifResourceExists: policy = 'FAIL' } = sent;
  if (!['FAIL', 'SKIP', 'OVERWRITE'].includes(policy))
    throw inputInvalid('ifResourceExists: expected FAIL, SKIP or OVERWRITE');
  const parts = partsOf(realm, sent);
  const taken = policy === 'FAIL' ? parts.find(part => part.exists()) : undefined;
  if (taken !== undefined) throw entryTaken(taken.taken);
  const results: Result[] = [];
  for (const part of parts) results.push(await importPart(part, policy));
  const count = (action: string) => results.filter(each => each.action === action).length;
  return json({ overwritten: count('OVERWRITTEN'), added: count('ADDED'), skipped: count('SKIPPED'), results });
}

interface Result extends Pick<Part, 'resourceType' | 'resourceName'> {
  readonly action: 'ADDED' | 'SKIPPED' | 'OVERWRITTEN';
  readonly id: string;
}

async function importPart(part: Part, policy: string): Promise<Result> {
  const { resourceType, resourceName } = part;
  const isThere = part.exists();
  const isSkipped = isThere && policy === 'SKIP';
  if (isThere && !isSkipped) await part.remove();
  if (!isSkipped) await part.create();
  const action = isSkipped ? 'SKIPPED' : isThere ? 'OVERWRITTEN' : 'ADDED';
  return { action, resourceType, resourceName, id: part.id() };
}

/** In the order in which they need each other. */
function partsOf(realm: Realm, sent: MembersOf<typeof importShape>): readonly Part[] {
  const roles = membersIn(sent.roles ?? {}, { realm: 'records', client: 'record' });
  const ofClients = Object.entries(roles.client ?? {}).flatMap(([client, all]) => {
    const { list = [] } = membersIn({ list: all }, { list: 'records' });
    return list.map(role => rolePart(realm, { client }, role));
  });
  return [
    ...(sent.clients ?? []).map(client => clientPart(realm, client)),
    ...(roles.realm ?? []).map(role => rolePart(realm, {}, role)),
    ...ofClients,
    ...(sent.groups ?? []).flatMap(group => groupParts(realm, '', group)),
    ...(sent.users ?? []).map(user => userPart(realm, user)),
  ];
}

function clientPart(realm: Realm, sent: AnyMembers): Part {
  const name = textOf(sent.clientId, 'clientId of a client');
  return {
    resourceType: 'CLIENT',
    resourceName: name,
    taken: `Client id '${name}' already exists`,
    exists: () => clientNames(realm).has(name),
    id: () => realm.ids.idOf('client', name),
    create: () => createClient(realm, sent),
    remove: () => removeClient(realm, name),
  };
}

function rolePart(realm: Realm, container: Omit<RealmRole, 'name'>, sent: AnyMembers): Part {
  const role = { ...container, name: textOf(sent.name, 'name of a role') };
  const isOfRealm = role.client === undefined;
  return {
    resourceType: isOfRealm ? 'REALM_ROLE' : 'CLIENT_ROLE',
    resourceName: isOfRealm ? role.name : `${role.client}-->${role.name}`,
    taken: `${isOfRealm ? 'Realm' : 'Client'} role '${role.name}' already exists`,
    exists: () => knownRoles(realm, role.client).includes(role.name),
    id: () => idOfRole(realm, role),
    create: () => createRole(realm, container, sent),
    remove: () => removeRole(realm, role),
  };
}

/** A group, and then the groups in it. The depth of a body is bounded. */
function groupParts(realm: Realm, parent: string, sent: AnyMembers): readonly Part[] {
  const { name = '', subGroups = [] } = membersIn(sent, { name: 'text', subGroups: 'records' });
  const path = `${parent}/${name}`;
  const own: Part = {
    resourceType: 'GROUP',
    resourceName: name,
    taken: `Group '${path}' already exists`,
    exists: () => groupPaths(realm).has(path),
    id: () => idOfGroup(realm, path),
    create: () => createGroup(realm, parent, sent, new Set(rolesOf(sent))),
    remove: () => removeGroup(realm, path),
  };
  return [own, ...subGroups.flatMap(each => groupParts(realm, path, each))];
}

function userPart(realm: Realm, sent: AnyMembers): Part {
  const name = textOf(sent.username, 'username of a user').toLowerCase();
  const found = () => people(realm).find(({ username }) => username.toLowerCase() === name);
  return {
    resourceType: 'USER',
    resourceName: name,
    taken: `User with user name ${name} already exists`,
    exists: () => found() !== undefined,
    id: () => found()?.id ?? '',
    create: () => createUser(realm, sent, rolesOf(sent)),
    async remove() {
      const person = found();
      if (person !== undefined) await removePerson(realm, person);
    },
  };
}

/** The keys of the roles that a user or a group of an export names. */
function rolesOf(sent: AnyMembers): readonly string[] {
  const { realmRoles, clientRoles } = membersIn(sent, { realmRoles: 'texts', clientRoles: 'lists' });
  return rolesIn({ roles: realmRoles, client_roles: clientRoles }).map(keyOf);
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw inputInvalid(`the ${what} is missing`);
  return value;
}
