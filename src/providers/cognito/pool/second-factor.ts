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
