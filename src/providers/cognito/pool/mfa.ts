import { shorten } from '../../../protocol/parameters.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { answer, refused } from './errors.ts';
import { type PendingLogin, pendingKey } from './login.ts';
import { membersOf } from './members.ts';
import { required, requireOpen, type UserPool } from './pool.ts';
import { keepVerified, newTotpSecret, preferTotp, totpFits } from './second-factor.ts';
import { userOf } from './signed-in.ts';
import { namedUser, type PoolUser, userNamed } from './users.ts';

/** The set-up of a second factor: an application that makes codes of the time (TOTP). */
export const mfaActions: readonly ManagementCall<UserPool>[] = [
  call('POST /AssociateSoftwareToken', 'makes a secret for the TOTP app of a user', undefined, associate),
  call('POST /VerifySoftwareToken', 'checks the first code of that app', undefined, verify),
  call(
    'POST /SetUserMFAPreference',
    'lets sign-ins of the user ask for such a code, or not',
    undefined,
    async (sent, pool) => {
      requireOpen(pool);
      return prefer(sent, pool, await userOf(pool, sent));
    },
  ),
  call('POST /AdminSetUserMFAPreference', 'the same for a back end', ['admin'], (sent, pool) =>
    prefer(sent, pool, namedUser(sent, pool)),
  ),
];

/** Seconds in which a first code is accepted. */
const patience = 600;
const secretKey = (sub: string): [kind: string, id: string] => ['new_totp', sub];

/** The user of an access token, or the one whose login waits for a second factor. @throws NotAuthorizedException */
async function settingUp(sent: CallInput, pool: UserPool): Promise<PoolUser> {
  requireOpen(pool);
  const { AccessToken, Session } = membersOf(sent);
  if (AccessToken !== undefined || Session === undefined) return userOf(pool, sent);
  const pending = await pool.server.store.get<PendingLogin>(pendingKey(Session));
  const user = pending?.name === 'MFA_SETUP' ? userNamed(pool, pending.sub) : undefined;
  if (user === undefined) throw refused('NotAuthorizedException', 'Invalid session for the user.');
  return user;
}

/** The session stays, because the login waits for its end. */
function sessionOf(sent: CallInput): object {
  const { Session } = membersOf(sent);
  return Session === undefined ? {} : { Session };
}

async function associate(sent: CallInput, pool: UserPool): Promise<Answer> {
  const { sub } = await settingUp(sent, pool);
  const SecretCode = newTotpSecret(pool.server.random.secret());
  await pool.server.store.put(secretKey(sub), SecretCode, patience);
  return answer({ SecretCode, ...sessionOf(sent) });
}

async function verify(sent: CallInput, pool: UserPool): Promise<Answer> {
  const user = await settingUp(sent, pool);
  const code = required(membersOf(sent).UserCode, 'UserCode');
  const { store, clock } = pool.server;
  const secret = await store.get<string>(secretKey(user.sub));
  if (secret === undefined)
    throw refused(
      'SoftwareTokenMFANotFoundException',
      'Software token MFA not found: call AssociateSoftwareToken first',
    );
  if (!totpFits(secret, code, clock())) {
    const message = 'Code mismatch and fail enable Software Token MFA';
    throw refused('EnableSoftwareTokenMFAException', message, shorten(code, 20));
  }
  await store.delete(secretKey(user.sub));
  await keepVerified(pool, user, secret);
  return answer({ Status: 'SUCCESS', ...sessionOf(sent) });
}

const preference = { Enabled: 'flag', PreferredMfa: 'flag' } as const satisfies Shape;

async function prefer(sent: CallInput, pool: UserPool, user: PoolUser): Promise<Answer> {
  const { SoftwareTokenMfaSettings = {}, SMSMfaSettings = {}, EmailMfaSettings = {} } = membersOf(sent);
  const others = [SMSMfaSettings, EmailMfaSettings].map(each => membersIn(each, preference));
  if (others.some(({ Enabled, PreferredMfa }) => Enabled || PreferredMfa))
    throw refused('InvalidParameterException', 'only SOFTWARE_TOKEN_MFA is offered: the sandbox sends no messages');
  const { Enabled, PreferredMfa } = membersIn(SoftwareTokenMfaSettings, preference);
  const isOn = Enabled ?? PreferredMfa;
  if (isOn !== undefined && !(await preferTotp(pool, user, isOn)))
    throw refused('InvalidParameterException', 'User has not verified software token mfa');
  return answer();
}
