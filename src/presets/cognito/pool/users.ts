import { shorten } from '../../../oauth/parameters.ts';
import { findUser } from '../../../oauth/users/login-need.ts';
import type { TestUser } from '../../../oauth/users/user.ts';
import { type AnyMembers, isRecord } from '../../../text/record.ts';
import type { CallInput } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { refused } from './errors.ts';
import { apply, required, requirePool, type UserPool } from './pool.ts';
import type { PoolUserFacts, UserStatus } from './state.ts';

/** A user of the pool, confirmed or not. */
export interface PoolUser {
  readonly sub: string;
  readonly username: string;
  readonly claims: AnyMembers;
  /** The user as the sandbox has it; absent while the user is not confirmed. */
  readonly account?: TestUser;
  readonly facts: PoolUserFacts;
}

/** All users by their names. */
export function poolUsers(pool: UserPool): readonly PoolUser[] {
  const { server, state } = pool;
  const accounts = [...server.users.values()].map(account => withFacts(pool, account));
  const waiting = [...state.unconfirmed.values()].filter(({ sub }) => !server.users.has(sub));
  const all = [...accounts, ...waiting.map(entry => unconfirmedUser(pool, entry))];
  return all.toSorted((a, b) => (a.username < b.username ? -1 : Number(a.username > b.username)));
}

function withFacts({ state }: UserPool, account: TestUser): PoolUser {
  const { sub, username, claims } = account;
  const usual: PoolUserFacts = { created: state.since, modified: state.since, status: 'CONFIRMED' };
  return { sub, username, claims, account, facts: state.users.get(sub) ?? usual };
}

function unconfirmedUser(
  { state }: UserPool,
  entry: AnyMembers & { readonly sub: string; readonly username: string },
): PoolUser {
  const { sub, username, claims } = entry;
  const usual: PoolUserFacts = { created: state.since, modified: state.since, status: 'UNCONFIRMED' };
  return { sub, username, claims: isRecord(claims) ? claims : {}, facts: state.users.get(sub) ?? usual };
}

/** The user with this username, `sub` or e-mail address. */
export function userNamed(pool: UserPool, typed: string): PoolUser | undefined {
  const account = findUser(pool.server, typed);
  if (account !== undefined) return withFacts(pool, account);
  const entry = [...pool.state.unconfirmed.values()].find(
    ({ sub, username, claims }) =>
      sub === typed || username.toLowerCase() === typed.toLowerCase() || (isRecord(claims) && claims.email === typed),
  );
  return entry === undefined ? undefined : unconfirmedUser(pool, entry);
}

/** @throws UserNotFoundException */
export function requireUser(pool: UserPool, sent: string | undefined, message = 'User does not exist.'): PoolUser {
  const typed = required(sent, 'Username');
  const user = userNamed(pool, typed);
  if (user === undefined) throw refused('UserNotFoundException', message, shorten(typed));
  return user;
}

/** The user that an action of a back end names. @throws UserNotFoundException, ResourceNotFoundException */
export function namedUser({ body }: CallInput, pool: UserPool): PoolUser {
  const { UserPoolId, Username } = membersIn(body, { UserPoolId: 'text', Username: 'text' });
  requirePool(pool, UserPoolId);
  return requireUser(pool, Username);
}

/** @throws UsernameExistsException */
export function requireFreeName(pool: UserPool, username: string): void {
  if (userNamed(pool, username) !== undefined) throw refused('UsernameExistsException', 'User already exists');
}

/** Remembers the status of a user, and that it was changed now. */
export function noteChange({ state, server }: UserPool, sub: string, status?: UserStatus): void {
  const now = server.wallClock();
  const before = state.users.get(sub) ?? { created: now, status: 'CONFIRMED' };
  state.users.set(sub, { ...before, modified: now, status: status ?? before.status });
}

/** Changes members of a user; a user who is not confirmed waits with them. */
export async function changeUser(pool: UserPool, { sub, account }: PoolUser, members: AnyMembers): Promise<void> {
  const waiting = pool.state.unconfirmed.get(sub);
  if (account === undefined && waiting !== undefined) pool.state.unconfirmed.set(sub, { ...waiting, ...members });
  else await apply(pool, { kind: 'user.patch', sub, members });
  noteChange(pool, sub);
}

/** Gives a user another password, which may be temporary. */
export async function setPassword(pool: UserPool, user: PoolUser, password: string, status: UserStatus): Promise<void> {
  if (user.account === undefined) await confirm(pool, user);
  await apply(pool, { kind: 'user.patch', sub: user.sub, members: { password, password_hash: null } });
  noteChange(pool, user.sub, status);
}

/** Lets a user who signed up log in. */
export async function confirm(pool: UserPool, { sub }: PoolUser): Promise<void> {
  const members = pool.state.unconfirmed.get(sub);
  if (members === undefined) return;
  await apply(pool, { kind: 'user.create', members });
  pool.state.unconfirmed.delete(sub);
  noteChange(pool, sub, 'CONFIRMED');
}

/** Takes a user away, with sessions and tokens. */
export async function removeUser(pool: UserPool, { sub, account }: PoolUser): Promise<void> {
  if (account !== undefined) await apply(pool, { kind: 'user.delete', sub });
  pool.state.unconfirmed.delete(sub);
  pool.state.users.delete(sub);
}
