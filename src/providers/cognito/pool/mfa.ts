import { createHmac, hash } from 'node:crypto';
import { shorten } from '../../../protocol/parameters.ts';
import { sameSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { answer, refused } from './errors.ts';
import { type PendingLogin, pendingKey } from './login.ts';
import { membersOf } from './members.ts';
import { required, requireOpen, type UserPool } from './pool.ts';
import { userOf } from './signed-in.ts';
import { changeUser, namedUser, type PoolUser, userNamed } from './users.ts';

/** The set-up of a second factor: an application that makes codes of the time (TOTP). */
export const mfaActions: readonly ManagementCall<UserPool>[] = [
  call('POST /AssociateSoftwareToken', 'makes a secret for the TOTP application of a user', undefined, associate),
  call('POST /VerifySoftwareToken', 'checks the first code of that application', undefined, verify),
  call(
    'POST /SetUserMFAPreference',
    'lets logins of the user ask for such a code, or not',
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

/** The key of the TOTP secret that a user has proved to know, and may use or not. */
const verifiedKey = (sub: string): [kind: string, id: string] => ['verified_totp', sub];
/** Seconds: as long as any sandbox runs. */
const always = 10 * 365 * 86_400;

/** Remembers a secret that the user has proved to know. Where the user has a second factor, it is this one from now on. */
async function keepVerified(pool: UserPool, user: PoolUser, secret: string): Promise<void> {
  await pool.server.store.put(verifiedKey(user.sub), secret, always);
  if (typeof user.claims.totp_secret === 'string') await preferTotp(pool, user, true);
}

/** The secret by which a login is checked, if it is: that of the claim `totp_secret`, and a verified one where all need one. */
export async function factorOf({ mfa, server }: UserPool, { sub, claims }: PoolUser): Promise<string | undefined> {
  if (typeof claims.totp_secret === 'string') return claims.totp_secret;
  return mfa === 'on' ? server.store.get<string>(verifiedKey(sub)) : undefined;
}

/** Lets logins of a user ask for a code, or no longer. Returns false for a user who has no secret to check one by. */
export async function preferTotp(pool: UserPool, user: PoolUser, isOn: boolean): Promise<boolean> {
  const { totp_secret: now, ...others } = user.claims;
  const { store } = pool.server;
  if (!isOn) {
    if (now === undefined) return true;
    await store.put(verifiedKey(user.sub), now, always);
    await changeUser(pool, user, { claims: others });
    return true;
  }
  const totp_secret = (await store.get<string>(verifiedKey(user.sub))) ?? now;
  if (typeof totp_secret !== 'string') return false;
  if (totp_secret !== now) await changeUser(pool, user, { claims: { ...others, totp_secret } });
  return true;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Seconds in which a code is the same (RFC 6238 §5.2). */
const step = 30;

/** A secret of 160 bits in Base32 (RFC 4226 §4), made of a random text. */
function newTotpSecret(random: string): string {
  const bits = [...hash('sha256', random, 'buffer').subarray(0, 20)].map(byte => byte.toString(2).padStart(8, '0'));
  return (bits.join('').match(/.{5}/g) ?? []).map(five => alphabet.charAt(Number.parseInt(five, 2))).join('');
}

/** The bytes of a secret in Base32 (RFC 4648 §6); undefined for another text. */
function secretBytes(text: string): Buffer | undefined {
  const letters = text.toUpperCase().replace(/[\s=-]/g, '');
  if (letters === '' || letters.length > 256 || ![...letters].every(letter => alphabet.includes(letter)))
    return undefined;
  const bits = [...letters].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
}

/** True if the code is that of now, or the one before or after (RFC 6238 §5.2). `now` are Unix seconds. */
export function totpFits(secret: string, code: string, now: number): boolean {
  const key = secretBytes(secret);
  if (key === undefined) return false;
  const count = Math.floor(now / step);
  return [count - 1, count, count + 1].some(each => sameSecret(codeOf(key, each), code));
}

/** RFC 4226 §5.3. */
function codeOf(key: Buffer, count: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.max(0, count)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}
