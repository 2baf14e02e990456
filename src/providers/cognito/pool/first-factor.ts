import { randomBytes } from 'node:crypto';
import { shorten } from '../../../protocol/parameters.ts';
import { passwordFits, type TestUser } from '../../../protocol/users/user.ts';
import { type MembersOf, membersIn, type Shape } from '../../management/members.ts';
import { deliveryOf } from './attributes.ts';
import { refused } from './errors.ts';
import { type ChallengeName, challenge, complete, guarded, requireConfirmed } from './login.ts';
import { srpNames, type UserPool } from './pool.ts';
import { beginSrp } from './srp.ts';
import type { PoolClientCall } from './tokens.ts';
import { type PoolUser, userNamed } from './users.ts';

const shape = {
  ANSWER: 'text',
  EMAIL_OTP_CODE: 'text',
  NEW_PASSWORD: 'text',
  PASSWORD: 'text',
  PASSWORD_CLAIM_SECRET_BLOCK: 'text',
  PASSWORD_CLAIM_SIGNATURE: 'text',
  PREFERRED_CHALLENGE: 'text',
  REFRESH_TOKEN: 'text',
  SECRET_HASH: 'text',
  SMS_OTP_CODE: 'text',
  SOFTWARE_TOKEN_MFA_CODE: 'text',
  SRP_A: 'text',
  TIMESTAMP: 'text',
  USERNAME: 'text',
} as const satisfies Shape;

export type LoginParameters = MembersOf<typeof shape>;

/** @throws SerializationException */
export function loginParameters(sent: object): LoginParameters {
  return membersIn(sent, shape);
}

interface BegunLogin {
  readonly pool: UserPool;
  readonly asking: PoolClientCall;
  readonly username: string;
  readonly sent: LoginParameters;
  readonly flow: string;
}

/** @throws InvalidParameterException */
export function parameterOf(sent: LoginParameters, name: keyof LoginParameters): string {
  const value = sent[name];
  if (value !== undefined && value !== '') return value;
  throw refused('InvalidParameterException', `Missing required parameter ${name}`);
}

/** A login by a password, as text. */
export async function byPassword({ pool, asking, username, sent, flow }: BegunLogin): Promise<object> {
  const typed = parameterOf(sent, 'PASSWORD');
  const refuse = await guarded(pool, asking, username);
  const user = userNamed(pool, username);
  if (user === undefined || !(await fits(pool, user, typed))) return refuse();
  return complete(pool, asking, requireConfirmed(user), flow);
}

/** A user who cannot log in learns that only with the right password. */
function fits({ state }: UserPool, { account, sub }: PoolUser, typed: string): Promise<boolean> {
  const { password, password_hash } = state.away.get(sub) ?? {};
  // entries that wait were checked as those of the sandbox
  return passwordFits(account ?? ({ password, password_hash } as TestUser), typed);
}

/**
 * The first half of SRP, also for a user who does not exist. A user without a password in the configuration may type any
 * on a form; SRP needs one that both sides know.
 */
export async function srpChallenge({ pool, asking, username, sent, flow }: BegunLogin): Promise<object> {
  await guarded(pool, asking, username);
  const user = userNamed(pool, username);
  const account = user === undefined ? undefined : requireConfirmed(user).account;
  if (account !== undefined && account.password === undefined) {
    const message = `USER_SRP_AUTH needs a user with a password: give ${shorten(username, 60)} one in the configuration`;
    throw refused('InvalidParameterException', message);
  }
  const sub = account?.sub ?? username;
  const password = account?.password ?? randomBytes(16).toString('hex');
  const srp = beginSrp(srpNames(pool, sub), password, parameterOf(sent, 'SRP_A'));
  if (srp === undefined) throw refused('InvalidParameterException', 'SRP_A is not a number of the group');
  const { salt: SALT, B: SRP_B, secretBlock: SECRET_BLOCK } = srp;
  const parameters = { SALT, SRP_B, SECRET_BLOCK, USERNAME: sub, USER_ID_FOR_SRP: sub };
  const pending = { name: 'PASSWORD_VERIFIER', sub, client_id: asking.client.client_id, flow, srp } as const;
  return challenge(pool, pending, parameters);
}

const byCode = { EMAIL_OTP: 'email', SMS_OTP: 'phone_number' } as const;

/**
 * The ways in which a user can log in with `USER_AUTH`. A user who does not exist seems to have a password. Everybody knows the
 * code, so it is none where a `CONTROL_TOKEN` closes the sandbox.
 */
function waysOf({ mfa, requireControlToken }: UserPool, user: PoolUser | undefined): readonly ChallengeName[] {
  const hasOwn = user?.account === undefined || user.account.password !== undefined;
  const byPasswords = hasOwn ? (['PASSWORD_SRP', 'PASSWORD'] as const) : (['PASSWORD'] as const);
  const isReady = mfa !== 'on' && requireControlToken === undefined && user?.facts.status === 'CONFIRMED';
  const codes = isReady
    ? (['EMAIL_OTP', 'SMS_OTP'] as const).filter(way => user.claims[`${byCode[way]}_verified`] === true)
    : [];
  return [...byPasswords, ...codes.filter(way => typeof user?.claims[byCode[way]] === 'string')];
}

/** Begins a login in which the user chooses the way, unless the application has. */
export async function choice(begun: BegunLogin): Promise<object> {
  const { pool, asking, username, sent, flow } = begun;
  const user = userNamed(pool, username);
  const ways = waysOf(pool, user);
  if (ways.some(way => way === sent.PREFERRED_CHALLENGE)) return chosen(begun, sent.PREFERRED_CHALLENGE);
  await guarded(pool, asking, username);
  const pending = {
    name: 'SELECT_CHALLENGE',
    sub: user?.sub ?? username,
    client_id: asking.client.client_id,
    flow,
  } as const;
  return { ...(await challenge(pool, pending, {})), AvailableChallenges: ways };
}

/** Goes on in a way: by what came with the request, or by one more challenge. @throws InvalidParameterException */
export async function chosen(begun: BegunLogin, way: string | undefined): Promise<object> {
  const { pool, asking, username, sent, flow } = begun;
  const user = userNamed(pool, username);
  const ways = waysOf(pool, user);
  const name = ways.find(each => each === way);
  if (name === undefined) {
    const message = `Invalid challenge: expected one of ${ways.join(', ')}`;
    throw refused('InvalidParameterException', message, way && shorten(way, 60));
  }
  if (name === 'PASSWORD' && sent.PASSWORD !== undefined) return byPassword(begun);
  if (name === 'PASSWORD_SRP' && sent.SRP_A !== undefined) return srpChallenge(begun);
  await guarded(pool, asking, username);
  const pending = { name, sub: user?.sub ?? username, client_id: asking.client.client_id, flow };
  return challenge(pool, pending, name in byCode && user !== undefined ? sentTo(user, name) : {});
}

function sentTo({ claims: { email, phone_number } }: PoolUser, name: string): object {
  const delivery = deliveryOf({ claims: name === 'EMAIL_OTP' ? { email } : { phone_number } });
  return {
    CODE_DELIVERY_DELIVERY_MEDIUM: delivery?.DeliveryMedium,
    CODE_DELIVERY_DESTINATION: delivery?.Destination,
  };
}
