import { shorten } from '../../../protocol/parameters.ts';
import { randomId, randomSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { apply, endAll } from '../../management/users.ts';
import { attributesOf, claimsOf } from './attributes.ts';
import { answer, refused, requireName } from './errors.ts';
import { membersOf } from './members.ts';
import { pageOf, required, requirePool, taken, type UserPool } from './pool.ts';
import { beginReset } from './sign-up.ts';
import { factorsOf } from './signed-in.ts';
import {
  changeUser,
  confirm,
  namedUser,
  noteChange,
  type PoolUser,
  poolUsers,
  removeUser,
  requireFreeName,
  requireGoodPassword,
  requireUser,
  setEnabled,
  setPassword,
} from './users.ts';

const admin = ['admin'];

/** Actions of a back end on the users of the pool. */
export const adminUserActions: readonly ManagementCall<UserPool>[] = [
  call('POST /AdminCreateUser', 'adds a user with a temporary password; sends nothing', admin, create),
  call('POST /AdminGetUser', 'a user', admin, async (sent, pool) => {
    const { Attributes: UserAttributes, ...user } = userJson(namedUser(sent, pool));
    return answer({ ...user, UserAttributes, ...factorsOf(namedUser(sent, pool).claims) });
  }),
  call('POST /AdminSetUserPassword', 'sets a password, `Permanent` or temporary', admin, async (sent, pool) => {
    const { Password, Permanent = false } = membersOf(sent);
    const password = requireGoodPassword(required(Password, 'Password'));
    await setPassword(pool, namedUser(sent, pool), password, Permanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD');
  }),
  call('POST /AdminUpdateUserAttributes', 'changes attributes of a user', admin, async (sent, pool) => {
    const user = namedUser(sent, pool);
    const added = claimsOf(membersOf(sent).UserAttributes);
    await changeUser(pool, user, { claims: { ...user.claims, ...added } });
  }),
  call('POST /AdminConfirmSignUp', 'confirms a user without a code', admin, async (sent, pool) => {
    const user = namedUser(sent, pool);
    if (user.facts.status !== 'UNCONFIRMED') {
      const message = `User cannot be confirmed. Current status is ${user.facts.status}`;
      throw refused('NotAuthorizedException', message);
    }
    await confirm(pool, user);
  }),
  call(
    'POST /AdminResetUserPassword',
    'demands a new password, set with the `code` of the preset',
    admin,
    resetPassword,
  ),
  call('POST /AdminDisableUser', 'keeps a user from signing in, and ends sessions and tokens', admin, (sent, pool) =>
    setEnabled(pool, namedUser(sent, pool), false),
  ),
  call('POST /AdminEnableUser', 'lets a user sign in again', admin, (sent, pool) =>
    setEnabled(pool, namedUser(sent, pool), true),
  ),
  call('POST /AdminDeleteUser', 'removes a user, with sessions and tokens', admin, (sent, pool) =>
    removeUser(pool, namedUser(sent, pool)),
  ),
  call('POST /AdminUserGlobalSignOut', 'ends all sessions and tokens of a user', admin, (sent, pool) =>
    endAll(pool, namedUser(sent, pool).sub),
  ),
  call('POST /ListUsers', 'users, by a `Filter` such as `email ^= "a"`', admin, list),
];

async function resetPassword(sent: CallInput, pool: UserPool): Promise<void> {
  const user = namedUser(sent, pool);
  await beginReset(pool, user);
  noteChange(pool, user.sub, { status: 'RESET_REQUIRED' });
}

/** A user as these actions answer it. */
export function userJson(user: PoolUser) {
  const { username: Username, facts } = user;
  return {
    Username,
    Attributes: attributesOf(user),
    UserCreateDate: facts.created,
    UserLastModifiedDate: facts.modified,
    Enabled: facts.isDisabled !== true,
    UserStatus: facts.status,
  };
}

async function create(input: CallInput, pool: UserPool): Promise<Answer> {
  const sent = membersOf(input);
  requirePool(pool, sent.UserPoolId);
  const username = requireName(required(sent.Username, 'Username'), 'username');
  const claims = claimsOf(sent.UserAttributes);
  if (sent.MessageAction === 'RESEND') return answer({ User: userJson(requireUser(pool, username)) });
  requireFreeName(pool, username);
  const password = sent.TemporaryPassword ?? `${randomSecret().slice(0, 12)}aA1!`;
  const sub = randomId();
  const members = { sub, username, password: requireGoodPassword(password), claims };
  await apply(pool, { kind: 'user.create', members }, taken);
  noteChange(pool, sub, { status: 'FORCE_CHANGE_PASSWORD', created: pool.server.wallClock() });
  return answer({ User: userJson(requireUser(pool, sub)) });
}

function list(sent: CallInput, pool: UserPool): Answer {
  const { UserPoolId, Filter = '', Limit, PaginationToken, AttributesToGet } = membersOf(sent);
  requirePool(pool, UserPoolId);
  const isMet = filterIn(Filter);
  const { items, next } = pageOf(poolUsers(pool).filter(isMet), { limit: Limit, from: PaginationToken });
  const Users = items.map(userJson).map(({ Attributes, ...user }) => ({
    ...user,
    Attributes: Attributes.filter(({ Name }) => AttributesToGet?.includes(Name) !== false),
  }));
  return answer({ Users, PaginationToken: next });
}

/** Attributes that a filter may name, besides the status. */
const searchable = [
  'username',
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'sub',
];

/** @throws InvalidParameterException for a filter that is not of the form `name = "value"` or `name ^= "value"` */
function filterIn(filter: string): (user: PoolUser) => boolean {
  if (filter === '') return () => true;
  const [, name = '', compared, text = ''] =
    /^\s*"?([\w:]{1,64})"?\s*(\^?=)\s*"((?:[^"\\]|\\["\\])*)"\s*$/.exec(filter) ?? [];
  const isKnown = searchable.includes(name) || name === 'cognito:user_status' || name === 'status';
  if (!isKnown) throw refused('InvalidParameterException', 'Error while parsing filter.', shorten(filter, 200));
  const wanted = text.replace(/\\(["\\])/g, '$1');
  return user => {
    const value = searchedValue(user, name);
    return compared === '=' ? value === wanted : value.startsWith(wanted);
  };
}

function searchedValue({ sub, username, claims, facts }: PoolUser, name: string): string {
  const own: Readonly<Record<string, string>> = {
    sub,
    username,
    status: facts.isDisabled ? 'Disabled' : 'Enabled',
    'cognito:user_status': facts.status,
  };
  return own[name] ?? String(claims[name] ?? '');
}
