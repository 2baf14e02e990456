import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { randomId } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { claimsOf, deliveryOf } from './attributes.ts';
import { answer, refused, requireName } from './errors.ts';
import { membersOf, type SentMembers } from './members.ts';
import { checkSecretHash, poolClient, required, requireOpen, requireRoom, type UserPool } from './pool.ts';
import {
  changeUser,
  confirm,
  noteChange,
  type PoolUser,
  requireFreeName,
  requireGoodPassword,
  requireUser,
  setPassword,
  userNamed,
} from './users.ts';

/** Actions of people who are not logged in: they sign up, or forgot their password. */
export const signUpActions: readonly ManagementCall<UserPool>[] = [
  call('POST /SignUp', 'adds a user who has to confirm the address', undefined, signUp),
  call('POST /ConfirmSignUp', 'confirms that user with the `code` of the preset', undefined, confirmSignUp),
  call('POST /ResendConfirmationCode', 'sends nothing: the code is that of the preset', undefined, resend),
  call('POST /ForgotPassword', 'begins a change of a forgotten password; sends nothing', undefined, forgot),
  call('POST /ConfirmForgotPassword', 'sets a new password with the `code` of the preset', undefined, confirmForgotten),
];

/** The members that each of these actions has, after the client was checked. */
function read(input: CallInput, pool: UserPool): SentMembers & { readonly client: RegisteredClient } {
  const sent = membersOf(input);
  const client = poolClient(pool, sent.ClientId);
  checkSecretHash(client, [required(sent.Username, 'Username')], sent.SecretHash);
  return { ...sent, client };
}

async function signUp(call: CallInput, pool: UserPool): Promise<Answer> {
  const sent = read(call, pool);
  const username = requireName(required(sent.Username, 'Username'), 'username');
  const password = requireGoodPassword(required(sent.Password, 'Password'));
  const claims = claimsOf(sent.UserAttributes);
  requireFreeName(pool, username);
  requireRoom(pool.state.away.size, 'users who cannot sign in');
  const sub = randomId();
  pool.state.away.set(sub, { sub, username, password, claims });
  noteChange(pool, sub, { status: 'UNCONFIRMED', created: pool.server.wallClock() });
  const delivery = deliveryOf({ claims });
  return answer({
    UserConfirmed: false,
    UserSub: sub,
    ...(delivery !== undefined && { CodeDeliveryDetails: delivery }),
  });
}

const unknown = 'Username/client id combination not found.';

async function confirmSignUp(call: CallInput, pool: UserPool): Promise<void> {
  const { Username, ConfirmationCode } = read(call, pool);
  const user = requireUser(pool, Username, unknown);
  if (user.facts.status !== 'UNCONFIRMED') {
    const message = `User cannot be confirmed. Current status is ${user.facts.status}`;
    throw refused('NotAuthorizedException', message);
  }
  requireCode(pool, ConfirmationCode);
  await changeUser(pool, user, { claims: { ...user.claims, ...verified(user) } });
  await confirm(pool, user);
}

/** The address to which the code would have been sent. */
function verified({ claims: { email, phone_number } }: PoolUser): object {
  if (email !== undefined) return { email_verified: true };
  return phone_number === undefined ? {} : { phone_number_verified: true };
}

function requireCode({ code }: UserPool, sent: string | undefined): void {
  const typed = required(sent, 'ConfirmationCode');
  if (typed === code) return;
  throw refused('CodeMismatchException', 'Invalid verification code provided, please try again.', shorten(typed, 20));
}

async function resend(call: CallInput, pool: UserPool): Promise<Answer> {
  const user = requireUser(pool, read(call, pool).Username, unknown);
  if (user.facts.status !== 'UNCONFIRMED') throw refused('InvalidParameterException', 'User is already confirmed.');
  return answer({ CodeDeliveryDetails: deliveryOf(user) ?? {} });
}

/** Seconds in which a forgotten password can be changed. */
const forgottenFor = 3600;

async function forgot(call: CallInput, pool: UserPool): Promise<Answer> {
  const user = requireUser(pool, read(call, pool).Username, unknown);
  if (user.facts.isDisabled) throw refused('NotAuthorizedException', 'User is disabled.');
  return answer({ CodeDeliveryDetails: await beginReset(pool, user) });
}

/**
 * Lets a user set a new password with the code, and returns where that would be sent.
 * @throws NotAuthorizedException for a temporary password, InvalidParameterException for a user without a verified address
 */
export async function beginReset(pool: UserPool, user: PoolUser): Promise<object> {
  const { email_verified, phone_number_verified } = user.claims;
  const delivery = deliveryOf(user);
  if (user.facts.status === 'FORCE_CHANGE_PASSWORD')
    throw refused('NotAuthorizedException', 'User password cannot be reset in the current state.');
  const isVerified = (email_verified ?? phone_number_verified) === true;
  if (user.facts.status === 'UNCONFIRMED' || delivery === undefined || !isVerified) {
    const message = 'Cannot reset password for the user as there is no registered/verified email or phone_number';
    throw refused('InvalidParameterException', message);
  }
  await pool.server.store.put(['forgotten_password', user.sub], true, forgottenFor);
  return delivery;
}

async function confirmForgotten(call: CallInput, pool: UserPool): Promise<void> {
  requireOpen(pool);
  const { Username, ConfirmationCode, Password } = read(call, pool);
  const user = requireUser(pool, Username, unknown);
  const password = requireGoodPassword(required(Password, 'Password'));
  if ((await pool.server.store.get(['forgotten_password', user.sub])) !== true)
    throw refused('ExpiredCodeException', 'Invalid code provided, please request a code again.');
  requireCode(pool, ConfirmationCode);
  await pool.server.store.delete(['forgotten_password', user.sub]);
  await setPassword(pool, userNamed(pool, user.sub) ?? user, password, 'CONFIRMED');
}
