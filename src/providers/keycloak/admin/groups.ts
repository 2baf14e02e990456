import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  inputInvalid,
  json,
  type ManagementCall,
  missing,
} from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { changeMeaning, groupsIn, holdingsOf, rolesOfGroups, saveHoldings, withParents } from './holdings.ts';
import { people, personWith } from './people.ts';
import { addressOf, type GroupFacts, type Realm, requireRoom } from './realm.ts';
import { needs } from './rights.ts';
import { roleMappingCalls } from './role-mappings.ts';
import { roleClaims } from './roles.ts';
import { userRepresentation } from './user-representation.ts';
import { paged } from './user-search.ts';

const groupShape = { name: 'text', description: 'text', attributes: 'lists' } as const satisfies Shape;

/** The groups of a realm (GroupsResource.java, GroupResource.java), and the members of each. */
export const groupCalls: readonly ManagementCall<Realm>[] = [
  call(
    'GET /groups',
    'groups at the top, or those that `search` finds with what is around them',
    needs.queryGroups,
    list,
  ),
  call('GET /groups/count', 'the number of groups, with `top=true` of those at the top', needs.queryGroups, count),
  call('POST /groups', 'creates a group at the top', needs.manageUsers, (sent, realm) => create(sent, realm, '')),
  call('GET /groups/{group}', 'a group', needs.viewUsers, ({ names }, realm) =>
    json(groupRepresentation(realm, groupNamed(realm, names.group))),
  ),
  call('GET /group-by-path/{path*}', 'the group with a full path', needs.viewUsers, ({ names }, realm) =>
    json(
      groupRepresentation(realm, groupNamed(realm, `/${names.path?.replace(/^\//, '')}`, 'Group path does not exist')),
    ),
  ),
  call('PUT /groups/{group}', 'changes a group, also its name', needs.manageUsers, update),
  call('DELETE /groups/{group}', 'removes a group and the groups in it', needs.manageUsers, remove),
  call('GET /groups/{group}/children', 'the groups in a group', needs.viewUsers, children),
  call('POST /groups/{group}/children', 'creates a group in a group', needs.manageUsers, (sent, realm) =>
    create(sent, realm, groupNamed(realm, sent.names.group)),
  ),
  call('GET /groups/{group}/members', 'the members of a group', needs.viewUsers, members),
  ...roleMappingCalls('/groups/{group}', 'a group', roleHolder),
  call('GET /users/{user}/groups', 'the groups of a user', needs.viewUsers, ({ names, query }, realm) =>
    json(paged(groupsOf(realm, names.user), query).map(path => groupRepresentation(realm, path))),
  ),
  call('GET /users/{user}/groups/count', 'the number of groups of a user', needs.viewUsers, ({ names }, realm) =>
    json({ count: groupsOf(realm, names.user).length }),
  ),
  call('PUT /users/{user}/groups/{group}', 'puts a user into a group', needs.manageUsers, (sent, realm) =>
    setGroups(sent, realm, (groups, path) => [...new Set([...groups, path])]),
  ),
  call('DELETE /users/{user}/groups/{group}', 'takes a user out of a group', needs.manageUsers, (sent, realm) =>
    setGroups(sent, realm, (groups, path) => groups.filter(each => each !== path)),
  ),
];

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** A search answers with the groups at the top that have what was searched. */
function list({ query }: CallInput, realm: Realm): Answer {
  const all = [...groupPaths(realm)];
  const search = query.get('search')?.toLowerCase();
  if (search === undefined) {
    const top = all.filter(path => parentOf(path) === '');
    return json(paged(top, query).map(path => groupRepresentation(realm, path)));
  }
  const isExact = query.get('exact') === 'true';
  const found = all.filter(path => {
    const name = path.slice(parentOf(path).length + 1).toLowerCase();
    return isExact ? name === search : name.includes(search);
  });
  const tops = all.filter(path => parentOf(path) === '' && found.some(each => `${each}/`.startsWith(`${path}/`)));
  return json(paged(tops, query).map(path => groupRepresentation(realm, path, found)));
}

function count({ query }: CallInput, realm: Realm): Answer {
  const search = query.get('search')?.toLowerCase() ?? '';
  const isTop = query.get('top') === 'true';
  const found = [...groupPaths(realm)].filter(path => {
    const parent = parentOf(path);
    return (
      path
        .slice(parent.length + 1)
        .toLowerCase()
        .includes(search) &&
      (!isTop || parent === '')
    );
  });
  return json({ count: found.length });
}

function create({ body }: CallInput, realm: Realm, parent: string): Answer {
  const path = createGroup(realm, parent, body);
  return created(addressOf(realm, 'groups', idOfGroup(realm, path)), groupRepresentation(realm, path));
}

/**
 * Creates a group, and answers with its full path.
 * @throws 400 and 409 in the words of Keycloak
 */
export function createGroup(
  realm: Realm,
  parent: string,
  body: unknown,
  roles: ReadonlySet<string> = new Set(),
): string {
  const { name = '', ...facts } = membersIn(body, groupShape);
  const path = `${parent}/${nameFor(name)}`;
  if (groupPaths(realm).has(path)) throw taken(parent, name);
  requireRoom(realm.state.groups.size, 'groups');
  realm.state.groups.set(path, { ...facts, id: idOfGroup(realm, path), roles });
  return path;
}

function nameFor(name: string): string {
  if (name.trim() === '') throw inputInvalid('Group name is missing');
  // a path is what tokens and users have
  if (name.includes('/'))
    throw inputInvalid('a group name must not have a slash here, because groups are known by their paths');
  return name;
}

function taken(parent: string, name: string) {
  const words = parent === '' ? `Top level group named '${name}'` : `Sibling group named '${name}'`;
  return entryTaken(`${words} already exists.`);
}

async function update({ body, names }: CallInput, realm: Realm): Promise<void> {
  const before = groupNamed(realm, names.group);
  const parent = parentOf(before);
  const { name, ...facts } = membersIn(body, groupShape);
  const after = name === undefined ? before : `${parent}/${nameFor(name)}`;
  const { groups } = realm.state;
  if (after !== before && groupPaths(realm).has(after)) throw taken(parent, name ?? '');
  const known: GroupFacts = groups.get(before) ?? { id: idOfGroup(realm, before), roles: new Set() };
  groups.set(before, { ...known, ...facts });
  if (after !== before) await move(realm, before, path => after + path.slice(before.length));
}

async function remove({ names }: CallInput, realm: Realm): Promise<void> {
  await removeGroup(realm, groupNamed(realm, names.group));
}

/** Removes a group and the groups in it. */
export function removeGroup(realm: Realm, path: string): Promise<void> {
  return move(realm, path, () => undefined);
}

/** Gives a group and the groups in it other paths; `to` is undefined for groups that are removed. */
async function move(realm: Realm, from: string, to: (path: string) => string | undefined): Promise<void> {
  const { groups } = realm.state;
  const renamed = (path: string) => (`${path}/`.startsWith(`${from}/`) ? to(path) : path);
  const kept = [...groupPaths(realm)].map(
    path => [renamed(path), { id: idOfGroup(realm, path), roles: new Set<string>(), ...groups.get(path) }] as const,
  );
  await changeMeaning(
    realm,
    () => {
      groups.clear();
      for (const [path, facts] of kept) if (path !== undefined) groups.set(path, facts);
    },
    renamed,
  );
}

function children({ names, query }: CallInput, realm: Realm): Answer {
  const parent = groupNamed(realm, names.group);
  const inside = [...groupPaths(realm)].filter(path => parentOf(path) === parent);
  return json(paged(inside, query, 10).map(path => groupRepresentation(realm, path)));
}

function members({ names, query }: CallInput, realm: Realm): Answer {
  const path = groupNamed(realm, names.group);
  const found = people(realm).filter(({ claims }) => groupsIn(claims).includes(path));
  const isBrief = query.get('briefRepresentation') === 'true';
  return json(paged(found, query).map(person => userRepresentation(realm, person, isBrief)));
}

function groupsOf(realm: Realm, user: string | undefined): readonly string[] {
  return holdingsOf(realm, personWith(realm, user)).groups;
}

async function setGroups(
  { names }: CallInput,
  realm: Realm,
  change: (groups: readonly string[], path: string) => readonly string[],
): Promise<void> {
  const person = personWith(realm, names.user);
  const path = groupNamed(realm, names.group, 'Group not found');
  const { groups, direct } = holdingsOf(realm, person);
  // groups that only this user is in must not vanish with the membership
  keepGroup(realm, path);
  await saveHoldings(realm, person, { groups: change(groups, path), direct });
}

function keepGroup(realm: Realm, path: string): GroupFacts {
  const { groups } = realm.state;
  const facts = groups.get(path) ?? { id: idOfGroup(realm, path), roles: new Set<string>() };
  groups.set(path, facts);
  return facts;
}

function roleHolder(realm: Realm, { names }: CallInput) {
  const path = groupNamed(realm, names.group);
  const facts = keepGroup(realm, path);
  return {
    direct: facts.roles,
    all: rolesOfGroups(realm, [path]),
    save: (direct: ReadonlySet<string>) =>
      changeMeaning(realm, () => realm.state.groups.set(path, { ...facts, roles: direct })),
  };
}

/** The full paths of all groups: those that were created, those that somebody is in, and the groups around them. */
export function groupPaths(realm: Realm): ReadonlySet<string> {
  const held = people(realm).flatMap(({ claims }) => groupsIn(claims));
  return new Set([...realm.state.groups.keys(), ...held].flatMap(withParents).toSorted());
}

/** The UUID of a group, which it keeps under another name. */
export function idOfGroup({ state, ids }: Realm, path: string): string {
  return state.groups.get(path)?.id ?? ids.idOf('group', path);
}

/**
 * The path of a group by its UUID, or by the path itself.
 * @throws 404
 */
function groupNamed(realm: Realm, id = '', words = 'Could not find group by id'): string {
  return [...groupPaths(realm)].find(each => each === id || idOfGroup(realm, each) === id) ?? missing(words, id);
}

/** @throws 400 for the path of a group that does not exist */
export function requireGroups(realm: Realm, sent: readonly string[]): readonly string[] {
  if (sent.length === 0) return [];
  const known = groupPaths(realm);
  const paths = sent.map(path => (path.startsWith('/') ? path : `/${path}`));
  const missing = paths.find(path => !known.has(path));
  if (missing !== undefined) throw inputInvalid(`Unable to find group specified by path: ${missing}`);
  return [...new Set(paths)];
}

/** A group as the admin API answers it (GroupRepresentation.java). `shown` are the groups whose way down is shown. */
function groupRepresentation(realm: Realm, path: string, shown: readonly string[] = []): object {
  const { description, attributes = {}, roles = [] } = realm.state.groups.get(path) ?? {};
  const parent = path.slice(0, path.lastIndexOf('/'));
  const inside = [...groupPaths(realm)].filter(each => each.slice(0, each.lastIndexOf('/')) === path);
  const leading = inside.filter(each => shown.some(found => `${found}/`.startsWith(`${each}/`)));
  const claims = roleClaims(roles);
  return {
    id: idOfGroup(realm, path),
    name: path.slice(parent.length + 1),
    ...(description !== undefined && { description }),
    path,
    ...(parent !== '' && { parentId: idOfGroup(realm, parent) }),
    subGroupCount: inside.length,
    subGroups: leading.map(each => groupRepresentation(realm, each, shown)),
    attributes,
    realmRoles: claims.roles,
    clientRoles: claims.client_roles,
  };
}
