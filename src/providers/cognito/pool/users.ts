import type { AnyMembers } from '../../../base/text/record.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { findUser } from '../../../protocol/users/login-need.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import type { CallInput } from '../../management/call.ts';
import { changeUser as change, managedUser, removeUser as remove, switchUser } from '../../management/users.ts';
import { refused } from './errors.ts';
import { membersOf } from './members.ts';
import { type PoolUserFacts, required, requirePool, requireRoom, taken, type UserPool } from './pool.ts';

/** A user of the pool, confirmed or not. */
export interface PoolUser {
  readonly sub: string;
  readonly username: string;
  readonly claims: AnyMembers;
  /** The user as the sandbox has it; absent while the user is not confirmed, or disabled. */
  readonly account?: TestUser;
  readonly facts: PoolUserFacts;
}

/** All users by their names. */
export function poolUsers(pool: UserPool): readonly PoolUser[] {
  const all = [...[...pool.server.users.values()].map(account => presentUser(pool, account)), ...awayUsers(pool)];
  return all.toSorted((a, b) => (a.username < b.username ? -1 : Number(a.username > b.username)));
}

function presentUser(pool: UserPool, account: TestUser): PoolUser {
  const { sub, username, claims } = account;
  return { sub, username, claims, account, facts: factsOf(pool, sub, 'CONFIRMED') };
}

function awayUsers(pool: UserPool): readonly PoolUser[] {
  const entries = [...pool.state.away].filter(([sub]) => !pool.server.users.has(sub));
  return entries.map(([, entry]) => {
    const { sub, username, claims } = managedUser(entry, false);
    return { sub, username, claims, facts: factsOf(pool, sub, 'UNCONFIRMED') };
  });
}

function factsOf({ state }: UserPool, sub: string, status: PoolUserFacts['status']): PoolUserFacts {
  return state.users.get(sub) ?? { created: state.since, modified: state.since, status };
}

/** The user with this username, `sub` or e-mail address. */
export function userNamed(pool: UserPool, typed: string): PoolUser | undefined {
  const account = findUser(pool.server, typed);
  if (account !== undefined) return presentUser(pool, account);
  return awayUsers(pool).find(
    ({ sub, username, claims }) =>
      sub === typed || username.toLowerCase() === typed.toLowerCase() || claims.email === typed,
  );
}

/** @throws UserNotFoundException */
export function requireUser(pool: UserPool, sent: string | undefined, message = 'User does not exist.'): PoolUser {
  const typed = required(sent, 'Username');
  const user = userNamed(pool, typed);
  if (user === undefined) throw refused('UserNotFoundException', message, shorten(typed));
  return user;
}

/** The user that an action of a back end names. @throws UserNotFoundException, ResourceNotFoundException */
export function namedUser(sent: CallInput, pool: UserPool): PoolUser {
  const { UserPoolId, Username } = membersOf(sent);
  requirePool(pool, UserPoolId);
  return requireUser(pool, Username);
}

/** @throws UsernameExistsException */
export function requireFreeName(pool: UserPool, username: string): void {
  if (userNamed(pool, username) !== undefined) throw refused('UsernameExistsException', taken);
}

/** Remembers facts of a user, and that it was changed now. */
export function noteChange(pool: UserPool, sub: string, facts: Partial<PoolUserFacts> = {}): void {
  const before = factsOf(pool, sub, 'CONFIRMED');
  pool.state.users.set(sub, { ...before, modified: pool.server.wallClock(), ...facts });
}

function known({ server }: UserPool, sub: string) {
  return { sub, isHere: server.users.has(sub) };
}

/** Changes members of a user; one who cannot log in waits with them. */
export async function changeUser(pool: UserPool, { sub }: PoolUser, members: AnyMembers): Promise<void> {
  await change(pool, known(pool, sub), members, taken);
  noteChange(pool, sub);
}

/** Gives a user another password, which may be temporary. */
export async function setPassword(
  pool: UserPool,
  user: PoolUser,
  password: string,
  status: PoolUserFacts['status'],
): Promise<void> {
  if (user.facts.status === 'UNCONFIRMED') await confirm(pool, user);
  await changeUser(pool, user, { password, password_hash: null });
  noteChange(pool, user.sub, { status });
}

/** Lets a user who signed up log in. */
export async function confirm(pool: UserPool, { sub, facts }: PoolUser): Promise<void> {
  if (!facts.isDisabled) await letIn(pool, sub, true);
  noteChange(pool, sub, { status: 'CONFIRMED' });
}

/** Lets a user log in again, or no longer: then sessions and tokens end. */
export async function setEnabled(pool: UserPool, { sub, facts }: PoolUser, isEnabled: boolean): Promise<void> {
  if (facts.status !== 'UNCONFIRMED') await letIn(pool, sub, isEnabled);
  noteChange(pool, sub, { status: facts.status, isDisabled: !isEnabled });
}

function letIn(pool: UserPool, sub: string, isIn: boolean): Promise<void> {
  const room = () => requireRoom(pool.state.away.size, 'users who cannot sign in');
  return switchUser(pool, known(pool, sub), isIn, { taken, requireRoom: room });
}

/** Takes a user away, with sessions and tokens. */
export async function removeUser(pool: UserPool, { sub }: PoolUser): Promise<void> {
  await remove(pool, known(pool, sub));
  pool.state.users.delete(sub);
}

/** The default policy of a user pool. */
export const policy = {
  MinimumLength: 8,
  RequireUppercase: true,
  RequireLowercase: true,
  RequireNumbers: true,
  RequireSymbols: true,
  TemporaryPasswordValidityDays: 7,
} as const;

const rules: readonly (readonly [test: RegExp, problem: string])[] = [
  [new RegExp(`^.{${policy.MinimumLength},256}$`, 's'), 'Password not long enough'],
  [/[A-Z]/, 'Password must have uppercase characters'],
  [/[a-z]/, 'Password must have lowercase characters'],
  [/\d/, 'Password must have numeric characters'],
  [/[\^$*.[\]{}()?"!@#%&/\\,><':;|_~`=+ -]/, 'Password must have symbol characters'],
];

/** @throws InvalidPasswordException that names the first problem */
export function requireGoodPassword(password: string): string {
  const broken = rules.find(([test]) => !test.test(password));
  if (broken === undefined) return password;
  throw refused('InvalidPasswordException', `Password did not conform with policy: ${broken[1]}`);
}
