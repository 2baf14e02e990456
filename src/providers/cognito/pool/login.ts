import { shorten } from '../../../protocol/parameters.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../../../protocol/users/guess-limit.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import { attributesOf } from './attributes.ts';
import { refused } from './errors.ts';
import type { UserPool } from './pool.ts';
import { factorOf } from './second-factor.ts';
import type { SrpExchange } from './srp.ts';
import { type PoolClientCall, signedIn } from './tokens.ts';
import type { PoolUser } from './users.ts';

/** The challenges that a login can meet. */
export type ChallengeName =
  | ('SELECT_CHALLENGE' | 'PASSWORD' | 'PASSWORD_SRP' | 'PASSWORD_VERIFIER' | 'EMAIL_OTP' | 'SMS_OTP')
  | ('NEW_PASSWORD_REQUIRED' | 'SOFTWARE_TOKEN_MFA' | 'MFA_SETUP');

/** A login that waits for the answer to a challenge. */
export interface PendingLogin {
  readonly name: ChallengeName;
  readonly sub: string;
  readonly client_id: string;
  readonly flow: string;
  readonly srp?: SrpExchange;
}

/** Seconds that an application has for the answer. */
const patience = 180;

/** The key of a waiting login in the store. */
export function pendingKey(session: string): [kind: string, id: string] {
  return ['pool_challenge', session];
}

/** The answer with a challenge. Its session leads to the login. */
export async function challenge(pool: UserPool, pending: PendingLogin, parameters: object): Promise<object> {
  const Session = pool.server.random.secret();
  await pool.server.store.put(pendingKey(Session), pending, patience);
  return { ChallengeName: pending.name, Session, ChallengeParameters: parameters };
}

/** A user who is confirmed. */
export type Confirmed = PoolUser & { readonly account: TestUser };

/** @throws UserNotConfirmedException, PasswordResetRequiredException, NotAuthorizedException for a disabled user */
export function requireConfirmed(user: PoolUser): Confirmed {
  const { account, facts } = user;
  if (facts.isDisabled) throw refused('NotAuthorizedException', 'User is disabled.');
  if (facts.status === 'RESET_REQUIRED')
    throw refused('PasswordResetRequiredException', 'Password reset required for the user');
  if (account === undefined) throw refused('UserNotConfirmedException', 'User is not confirmed.');
  return { ...user, account };
}

/** Tokens for a user whose password was right, or the challenge that is next. */
export async function complete(pool: UserPool, asking: PoolClientCall, user: Confirmed, flow: string): Promise<object> {
  const { account, facts } = user;
  const { sub, username } = account;
  const next = { sub, client_id: asking.client.client_id, flow };
  if (facts.status === 'FORCE_CHANGE_PASSWORD') {
    const all = attributesOf(user).filter(({ Name }) => Name !== 'sub');
    const userAttributes = JSON.stringify(Object.fromEntries(all.map(({ Name, Value }) => [Name, Value])));
    const parameters = { USER_ID_FOR_SRP: username, requiredAttributes: '[]', userAttributes };
    return challenge(pool, { ...next, name: 'NEW_PASSWORD_REQUIRED' }, parameters);
  }
  if ((await factorOf(pool, user)) !== undefined)
    return challenge(pool, { ...next, name: 'SOFTWARE_TOKEN_MFA' }, { USER_ID_FOR_SRP: username });
  if (pool.mfa === 'on') {
    const parameters = { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]', USER_ID_FOR_SRP: username };
    return challenge(pool, { ...next, name: 'MFA_SETUP' }, parameters);
  }
  return signedIn(pool, asking, account, flow);
}

/** Counts by client and username, as the password grant does. */
const wrongPasswords: GuessLimit = {
  kind: 'wrong_password',
  most: 20,
  forgetsAfter: 30,
  reason: 'password_guessed_too_often',
  description: 'too many wrong passwords for this user from this client',
};

/**
 * Refuses a login after too many wrong guesses. The function that it answers with counts one more and refuses it with
 * the error.
 */
export async function guarded(pool: UserPool, { client }: PoolClientCall, username: string, error = wrongPassword) {
  const who = JSON.stringify([client.client_id, shorten(username)]);
  await refuseGuessing(pool.server, wrongPasswords, who);
  return async (): Promise<never> => {
    await countMiss(pool.server, wrongPasswords, who);
    throw error(username);
  };
}

function wrongPassword(username: string) {
  return refused('NotAuthorizedException', 'Incorrect username or password.', shorten(username));
}
