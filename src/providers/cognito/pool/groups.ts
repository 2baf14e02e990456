import { defined } from '../../../base/defined.ts';
import { shorten } from '../../../protocol/parameters.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { userJson } from './admin-users.ts';
import { answer, refused, requireName } from './errors.ts';
import { membersOf } from './members.ts';
import { pageOf, required, requirePool, requireRoom, type UserPool } from './pool.ts';
import { changeUser, namedUser, type PoolUser, poolUsers } from './users.ts';

const admin = ['admin'];

/** Actions of a back end on groups. Those that users are in exist, too. */
export const groupActions: readonly ManagementCall<UserPool>[] = [
  call('POST /CreateGroup', 'adds a group', admin, create),
  call('POST /GetGroup', 'a group', admin, (sent, pool) => answer({ Group: groupJson(pool, namedGroup(sent, pool)) })),
  call('POST /UpdateGroup', 'changes the description, the role or the precedence of a group', admin, update),
  call('POST /DeleteGroup', 'removes a group, also from all who are in it', admin, remove),
  call('POST /ListGroups', 'all groups', admin, (sent, pool) => {
    requirePool(pool, membersOf(sent).UserPoolId);
    return groupsAnswer(sent, pool, knownGroups(pool));
  }),
  call('POST /ListUsersInGroup', 'the users in a group', admin, members),
  call('POST /AdminListGroupsForUser', 'the groups of a user', admin, (sent, pool) =>
    groupsAnswer(sent, pool, groupsOf(namedUser(sent, pool))),
  ),
  call('POST /AdminAddUserToGroup', 'puts a user into a group', admin, async (sent, pool) => {
    const group = namedGroup(sent, pool);
    return setGroups(pool, namedUser(sent, pool), groups => [...new Set([...groups, group])]);
  }),
  call('POST /AdminRemoveUserFromGroup', 'takes a user out of a group', admin, async (sent, pool) => {
    const group = namedGroup(sent, pool);
    return setGroups(pool, namedUser(sent, pool), groups => groups.filter(name => name !== group));
  }),
];

function namedGroup({ body }: CallInput, pool: UserPool): string {
  const { UserPoolId, GroupName } = membersOf({ body });
  requirePool(pool, UserPoolId);
  const name = required(GroupName, 'GroupName');
  if (!knownGroups(pool).includes(name)) throw refused('ResourceNotFoundException', 'Group not found.', shorten(name));
  return name;
}

/** The names of the groups of a user: full paths without the slash in front. */
function groupsOf({ claims: { groups } }: Pick<PoolUser, 'claims'>): readonly string[] {
  return Array.isArray(groups) ? groups.map(path => String(path).replace(/^\//, '')) : [];
}

function knownGroups(pool: UserPool): readonly string[] {
  return [...new Set([...pool.state.groups.keys(), ...poolUsers(pool).flatMap(groupsOf)])].toSorted();
}

async function setGroups(
  pool: UserPool,
  user: PoolUser,
  change: (groups: readonly string[]) => readonly string[],
): Promise<void> {
  await changeUser(pool, user, { claims: { ...user.claims, groups: change(groupsOf(user)) } });
}

function create({ body }: CallInput, pool: UserPool): Answer {
  const { UserPoolId, GroupName, Description, RoleArn, Precedence } = membersOf({ body });
  requirePool(pool, UserPoolId);
  const name = requireName(required(GroupName, 'GroupName'), 'groupName');
  if (knownGroups(pool).includes(name))
    throw refused('GroupExistsException', 'A group with the name already exists.', shorten(name));
  requireRoom(pool.state.groups.size, 'groups');
  const now = pool.server.wallClock();
  pool.state.groups.set(name, { created: now, modified: now, Description, RoleArn, Precedence });
  return answer({ Group: groupJson(pool, name) });
}

function update(sent: CallInput, pool: UserPool): Answer {
  const name = namedGroup(sent, pool);
  const { Description, RoleArn, Precedence } = membersOf(sent);
  const { groups, since } = pool.state;
  const before = groups.get(name) ?? { created: since };
  groups.set(name, { ...before, ...defined({ Description, RoleArn, Precedence }), modified: pool.server.wallClock() });
  return answer({ Group: groupJson(pool, name) });
}

async function remove(sent: CallInput, pool: UserPool): Promise<void> {
  const group = namedGroup(sent, pool);
  for (const user of usersIn(group, pool)) await setGroups(pool, user, names => names.filter(name => name !== group));
  pool.state.groups.delete(group);
}

function usersIn(group: string, pool: UserPool): readonly PoolUser[] {
  return poolUsers(pool).filter(user => groupsOf(user).includes(group));
}

function members(sent: CallInput, pool: UserPool): Answer {
  const { Limit, NextToken } = membersOf(sent);
  const { items, next } = pageOf(usersIn(namedGroup(sent, pool), pool), { limit: Limit, from: NextToken });
  return answer({ Users: items.map(userJson), NextToken: next });
}

function groupJson({ id, state }: UserPool, GroupName: string): object {
  const { created = state.since, modified = state.since, ...facts } = state.groups.get(GroupName) ?? {};
  return { GroupName, UserPoolId: id, ...facts, CreationDate: created, LastModifiedDate: modified };
}

function groupsAnswer({ body }: CallInput, pool: UserPool, names: readonly string[]): Answer {
  const { Limit, NextToken } = membersOf({ body });
  const { items, next } = pageOf(names, { limit: Limit, from: NextToken });
  return answer({
    Groups: items.map(name => groupJson(pool, name)),
    NextToken: next,
  });
}
