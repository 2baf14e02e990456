import { createHmac, hash } from 'node:crypto';
import { sameSecret } from '../../../protocol/random.ts';
import type { UserPool } from './pool.ts';
import { changeUser, type PoolUser } from './users.ts';

/** The key of the TOTP secret that a user has proved to know, and may use or not. */
const verifiedKey = (sub: string): [kind: string, id: string] => ['verified_totp', sub];
/** Seconds: as long as any sandbox runs. */
const always = 10 * 365 * 86_400;

/** Remembers a secret that the user has proved to know. Where the user has a second factor, it is this one from now on. */
export async function keepVerified(pool: UserPool, user: PoolUser, secret: string): Promise<void> {
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
export function newTotpSecret(random: string): string {
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
