import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  entryUnknown,
  inputInvalid,
  json,
  type ManagementCall,
  missing,
} from '../../management/call.ts';
import { type MembersOf, membersIn, recordsIn, type Shape } from '../../management/members.ts';
import { changeMeaning, holders, holdingsOf } from './holdings.ts';
import { addressOf, clientNamed, clientNames, type Realm, requireRoom } from './realm.ts';
import { needs } from './rights.ts';
import {
  defaultRoles,
  idOfRole,
  keyOf,
  knownRoles,
  type RealmRole,
  requireRole,
  roleOf,
  roleRepresentation,
  withParts,
} from './roles.ts';
import { userRepresentation } from './user-representation.ts';
import { paged } from './user-search.ts';

const roleShape = { name: 'text', description: 'text', attributes: 'lists' } as const satisfies Shape;

interface RolePlace {
  readonly base: string;
  readonly what: string;
  readonly list: readonly string[];
  readonly change: readonly string[];
}

const places: readonly RolePlace[] = [
  { base: '/roles', what: 'realm role', list: needs.listRoles, change: needs.manageRealm },
  { base: '/clients/{client}/roles', what: 'role of a client', list: needs.viewClients, change: needs.manageClients },
];

/** The roles of the realm and of clients (RoleContainerResource.java, RoleByIdResource.java). */
export const roleCalls: readonly ManagementCall<Realm>[] = [
  ...places.flatMap(place => [
    call<Realm>(`GET ${place.base}`, `${place.what}s by \`search\``, place.list, list),
    call<Realm>(`POST ${place.base}`, `creates a ${place.what}`, place.change, create),
    ...oneRole(`${place.base}/{role}`, place, namedRole),
  ]),
  ...oneRole('/roles-by-id/{role}', { ...places[0], what: 'role by its id' } as RolePlace, roleById),
];

type Find = (realm: Realm, sent: CallInput) => RealmRole;

function oneRole(at: string, { what, list: view, change }: RolePlace, find: Find): readonly ManagementCall<Realm>[] {
  return [
    call<Realm>(`GET ${at}`, `a ${what}`, view, (sent, realm) =>
      json(roleRepresentation(realm, find(realm, sent), false)),
    ),
    call<Realm>(`PUT ${at}`, `changes a ${what}, also its name`, change, (sent, realm) => update(sent, realm, find)),
    call<Realm>(`DELETE ${at}`, `removes a ${what}, also from all who have it`, change, (sent, realm) =>
      remove(sent, realm, find),
    ),
    call<Realm>(`GET ${at}/users`, `users who were given a ${what}`, needs.viewUsers, (sent, realm) => {
      const key = keyOf(find(realm, sent));
      const found = holders(realm).filter(person => holdingsOf(realm, person).direct.has(key));
      return json(paged(found, sent.query).map(person => userRepresentation(realm, person)));
    }),
    ...compositeCalls(at, what, { view, change }, find),
  ];
}

function containerOf(realm: Realm, { names }: CallInput): { readonly client?: string } {
  return names.client === undefined ? {} : { client: clientNamed(realm, names.client) };
}

function namedRole(realm: Realm, sent: CallInput): RealmRole {
  return requireRole(realm, { ...containerOf(realm, sent), name: sent.names.role ?? '' });
}

function roleById(realm: Realm, { names }: CallInput): RealmRole {
  const containers: readonly { readonly client?: string }[] = [
    {},
    ...[...clientNames(realm)].map(client => ({ client })),
  ];
  const all = containers.flatMap(each => knownRoles(realm, each.client).map(name => ({ ...each, name })));
  return all.find(role => idOfRole(realm, role) === names.role) ?? missing('Could not find role with id', names.role);
}

function list(sent: CallInput, realm: Realm): Answer {
  const { query } = sent;
  const container = containerOf(realm, sent);
  const search = query.get('search')?.trim().toLowerCase() ?? '';
  const found = knownRoles(realm, container.client).filter(name => name.toLowerCase().includes(search));
  const isBrief = query.get('briefRepresentation') !== 'false';
  return json(paged(found, query, -1).map(name => roleRepresentation(realm, { ...container, name }, isBrief)));
}

function create(sent: CallInput, realm: Realm): Answer {
  const container = containerOf(realm, sent);
  const name = createRole(realm, container, sent.body);
  const { client } = container;
  const at = client === undefined ? ['roles'] : ['clients', realm.ids.idOf('client', client), 'roles'];
  return created(addressOf(realm, ...at, name));
}

/**
 * Creates a role, and answers with its name.
 * @throws 400 and 409 in the words of Keycloak
 */
export function createRole(realm: Realm, container: Omit<RealmRole, 'name'>, body: unknown): string {
  const { name = '', ...facts } = membersIn(body, roleShape);
  if (name.trim() === '') throw inputInvalid('role has no name');
  if (knownRoles(realm, container.client).includes(name)) throw entryTaken(`Role with name ${name} already exists`);
  requireRoom(realm.state.roles.size, 'roles');
  realm.state.roles.set(keyOf({ ...container, name }), { ...facts, parts: new Set() });
  return name;
}

async function update(sent: CallInput, realm: Realm, find: Find): Promise<void> {
  const before = find(realm, sent);
  const { name = before.name, ...facts }: MembersOf<typeof roleShape> = membersIn(sent.body, roleShape);
  if (name.trim() === '') throw inputInvalid('role has no name');
  const { state } = realm;
  const after = { ...before, name };
  const isRenamed = name !== before.name;
  if (isRenamed) requireOwn(realm, before);
  if (isRenamed && knownRoles(realm, after.client).includes(name))
    throw entryTaken(`Role with name ${name} already exists`);
  const [oldKey, key] = [keyOf(before), keyOf(after)];
  const known = state.roles.get(oldKey) ?? { parts: new Set<string>() };
  await replaceKey(realm, oldKey, key);
  state.roles.set(key, { ...known, ...facts });
}

async function remove(sent: CallInput, realm: Realm, find: Find): Promise<void> {
  await removeRole(realm, find(realm, sent));
}

/** Roles that come with each realm stay. */
function requireOwn(realm: Realm, role: RealmRole): void {
  const isFixed = defaultRoles(realm).some(each => keyOf(each) === keyOf(role));
  if (isFixed || role.client === 'realm-management')
    throw inputInvalid(`${role.name} is a role of every realm: it can be neither renamed nor removed`);
}

/** Takes a role away from all who have it. */
export async function removeRole(realm: Realm, role: RealmRole): Promise<void> {
  requireOwn(realm, role);
  await replaceKey(realm, keyOf(role), undefined);
}

/** Replaces a role wherever it is named; `key` is undefined for a role that is removed. */
async function replaceKey(realm: Realm, old: string, key: string | undefined): Promise<void> {
  if (old === key) return;
  const { roles, groups } = realm.state;
  const renamed = (each: string) => (each === old ? key : each);
  const without = (keys: ReadonlySet<string>) => new Set([...keys].flatMap(each => renamed(each) ?? []));
  const change = () => {
    roles.delete(old);
    for (const [each, facts] of roles) roles.set(each, { ...facts, parts: without(facts.parts) });
    for (const [path, facts] of groups) groups.set(path, { ...facts, roles: without(facts.roles) });
  };
  await changeMeaning(realm, change, renamed);
}

/** The calls about the roles that a role is composed of (RoleResource.java). */
function compositeCalls(
  role: string,
  what: string,
  { view, change }: { readonly view: readonly string[]; readonly change: readonly string[] },
  find: Find,
): readonly ManagementCall<Realm>[] {
  const at = `${role}/composites`;
  const listed =
    (isMet: (part: RealmRole, realm: Realm, sent: CallInput) => boolean) => (sent: CallInput, realm: Realm) => {
      const parts = partsOf(realm, find(realm, sent)).filter(part => isMet(part, realm, sent));
      return json(parts.map(part => roleRepresentation(realm, part)));
    };
  return [
    call<Realm>(
      `GET ${at}`,
      `the roles in a ${what}`,
      view,
      listed(() => true),
    ),
    call<Realm>(
      `GET ${at}/realm`,
      `the realm roles in a ${what}`,
      view,
      listed(({ client }) => client === undefined),
    ),
    call<Realm>(
      `GET ${at}/clients/{container}`,
      `the roles of a client in a ${what}`,
      view,
      listed(({ client }, realm, { names }) => client === clientNamed(realm, names.container)),
    ),
    call<Realm>(`POST ${at}`, `adds roles to a ${what}`, change, (sent, realm) => {
      const added = rolesSent(realm, sent.body);
      const role = find(realm, sent);
      if (withParts(realm.state, added).has(keyOf(role))) throw inputInvalid(`${role.name} would be a part of itself`);
      return setParts(realm, role, parts => new Set([...parts, ...added]));
    }),
    call<Realm>(`DELETE ${at}`, `takes roles from a ${what}`, change, (sent, realm) => {
      const taken = new Set(rolesSent(realm, sent.body));
      return setParts(realm, find(realm, sent), parts => new Set([...parts].filter(key => !taken.has(key))));
    }),
  ];
}

/** The default role of a realm is composed of those that the tokens of every user have. */
function partsOf(realm: Realm, role: RealmRole): readonly RealmRole[] {
  const [main, ...others] = defaultRoles(realm);
  const own = [...(realm.state.roles.get(keyOf(role))?.parts ?? [])].map(roleOf);
  return main !== undefined && keyOf(main) === keyOf(role) ? [...others, ...own] : own;
}

async function setParts(
  realm: Realm,
  role: RealmRole,
  change: (parts: ReadonlySet<string>) => ReadonlySet<string>,
): Promise<void> {
  const { roles } = realm.state;
  const key = keyOf(role);
  const known = roles.get(key) ?? { parts: new Set<string>() };
  await changeMeaning(realm, () => roles.set(key, { ...known, parts: change(known.parts) }));
}

/** @throws 404 for a role that does not exist */
function rolesSent(realm: Realm, body: unknown): readonly string[] {
  const containers = [undefined, ...clientNames(realm)];
  const all = containers.flatMap(client =>
    knownRoles(realm, client).map(name => (client === undefined ? { name } : { name, client })),
  );
  const byId = new Map(all.map(role => [idOfRole(realm, role), role]));
  return recordsIn(body, { id: 'text', name: 'text' }).map(({ id, name }) => {
    const found = id === undefined ? all.find(role => role.client === undefined && role.name === name) : byId.get(id);
    if (found === undefined) throw entryUnknown('Could not find composite role', id ?? name);
    return keyOf(found);
  });
}
