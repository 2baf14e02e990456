import type { Answer } from '../../../http/answer.ts';
import { shorten } from '../../../oauth/parameters.ts';
import { randomId, randomSecret } from '../../../oauth/random.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { endAll } from '../../management/users.ts';
import { attributesOf, claimsOf } from './attributes.ts';
import { answer, refused, requireName } from './errors.ts';
import { pageOf } from './pages.ts';
import { requireGoodPassword } from './passwords.ts';
import { apply, required, requirePool, type UserPool } from './pool.ts';
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
  requireUser,
  setPassword,
} from './users.ts';

const shape = {
  UserPoolId: 'text',
  Username: 'text',
  Password: 'text',
  Permanent: 'flag',
  TemporaryPassword: 'text',
  MessageAction: 'text',
  UserAttributes: 'records',
  AttributesToGet: 'texts',
  Filter: 'text',
  Limit: 'number',
  PaginationToken: 'text',
} as const satisfies Shape;

const admin = ['admin'];

/** Actions of a back end on the users of the pool. */
export const adminUserActions: readonly ManagementCall<UserPool>[] = [
  call('POST /AdminCreateUser', 'adds a user with a temporary password; sends nothing', admin, create),
  call('POST /AdminGetUser', 'a user', admin, async (sent, pool) => {
    const { Attributes: UserAttributes, ...user } = userJson(namedUser(sent, pool));
    return answer({ ...user, UserAttributes, ...factorsOf(namedUser(sent, pool).claims) });
  }),
  call('POST /AdminSetUserPassword', 'sets a password, `Permanent` or temporary', admin, async (sent, pool) => {
    const { Password, Permanent = false } = membersIn(sent.body, shape);
    const password = requireGoodPassword(required(Password, 'Password'));
    await setPassword(pool, namedUser(sent, pool), password, Permanent ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD');
  }),
  call('POST /AdminUpdateUserAttributes', 'changes attributes of a user', admin, async (sent, pool) => {
    const user = namedUser(sent, pool);
    const added = claimsOf(membersIn(sent.body, shape).UserAttributes);
    await changeUser(pool, user, { claims: { ...user.claims, ...added } });
  }),
  call('POST /AdminConfirmSignUp', 'confirms a user without a code', admin, async (sent, pool) => {
    const user = namedUser(sent, pool);
    if (user.account !== undefined) {
      const message = `User cannot be confirmed. Current status is ${user.facts.status}`;
      throw refused('NotAuthorizedException', message);
    }
    await confirm(pool, user);
  }),
  call('POST /AdminDeleteUser', 'removes a user, with sessions and tokens', admin, (sent, pool) =>
    removeUser(pool, namedUser(sent, pool)),
  ),
  call('POST /AdminUserGlobalSignOut', 'ends all sessions and tokens of a user', admin, (sent, pool) =>
    endAll(pool, namedUser(sent, pool).sub),
  ),
  call('POST /ListUsers', 'users, by a `Filter` such as `email ^= "a"`', admin, list),
];

/** A user as these actions answer it. */
function userJson(user: PoolUser) {
  const { username: Username, facts } = user;
  return {
    Username,
    Attributes: attributesOf(user),
    UserCreateDate: facts.created,
    UserLastModifiedDate: facts.modified,
    Enabled: true,
    UserStatus: facts.status,
  };
}

async function create({ body }: CallInput, pool: UserPool): Promise<Answer> {
  const sent = membersIn(body, shape);
  requirePool(pool, sent.UserPoolId);
  const username = requireName(required(sent.Username, 'Username'), 'username');
  const claims = claimsOf(sent.UserAttributes);
  if (sent.MessageAction === 'RESEND') return answer({ User: userJson(requireUser(pool, username)) });
  requireFreeName(pool, username);
  const password = sent.TemporaryPassword ?? `${randomSecret().slice(0, 12)}aA1!`;
  const sub = randomId();
  await apply(pool, {
    kind: 'user.create',
    members: { sub, username, password: requireGoodPassword(password), claims },
  });
  noteChange(pool, sub, 'FORCE_CHANGE_PASSWORD');
  return answer({ User: userJson(requireUser(pool, sub)) });
}

function list({ body }: CallInput, pool: UserPool): Answer {
  const { UserPoolId, Filter = '', Limit, PaginationToken, AttributesToGet } = membersIn(body, shape);
  requirePool(pool, UserPoolId);
  const isMet = filterIn(Filter);
  const { items, next } = pageOf(poolUsers(pool).filter(isMet), { limit: Limit, from: PaginationToken });
  const Users = items.map(userJson).map(({ Attributes, ...user }) => ({
    ...user,
    Attributes: Attributes.filter(({ Name }) => AttributesToGet?.includes(Name) !== false),
  }));
  return answer({ Users, ...(next !== undefined && { PaginationToken: next }) });
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
    status: 'Enabled',
    'cognito:user_status': facts.status,
  };
  return own[name] ?? String(claims[name] ?? '');
}
