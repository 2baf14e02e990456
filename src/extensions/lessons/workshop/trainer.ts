import type { IncomingMessage } from 'node:http';
import { sameSecret } from '../../../protocol/random.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';

/** The trainer of a room, who has the key that was printed at the start. */
export type Trainer = ReturnType<typeof createTrainer>;

/** `secret` is the cookie, which ends with this start of the sandbox. */
export function createTrainer(key: string, issuer: string, secret: string) {
  const cookie = `grantbox_trainer${cookieSuffix(issuer)}`;
  const flags = `Path=/; HttpOnly; SameSite=Lax${issuer.startsWith('https:') ? '; Secure' : ''}`;
  return {
    key,
    /** True for a browser that has the cookie of `signIn`. */
    admits: (req: IncomingMessage) => sameSecret(readCookie(req, cookie) ?? '', secret),
    /** The `Set-Cookie` for a browser in which the key was typed. */
    signIn: `${cookie}=${secret}; Max-Age=86400; ${flags}`,
    signOut: `${cookie}=; Max-Age=0; ${flags}`,
  };
}
