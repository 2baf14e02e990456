import { hash } from 'node:crypto';
import type { Store } from '../storage/store.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ErrorDetails } from './errors.ts';

type Ends = Pick<AuthorizationServer, 'store' | 'clock'>;

/** Stores a token was ever ended in: of all others nobody has to ask about each token. */
const used = new WeakSet<Store>();

/** Seconds after its time that a token may still be taken (a clock skew), or recognised (a code). */
const recognisedFor = 3600;

/**
 * Expires a token manually: from now on this server treats it as expired. `until` is the `exp` of the token, in Unix seconds. A
 * `tok_…` id names a code, an access token or a refresh token, and `idTokenMark` an ID Token.
 */
export async function endToken({ store, clock }: Ends, tokenId: string, until: number): Promise<void> {
  used.add(store);
  await store.put(['ended_token', tokenId], true, Math.max(0, until - clock()) + recognisedFor);
}

/** Takes `endToken` back: what is in its time is good again. */
export async function resumeToken({ store }: Pick<Ends, 'store'>, tokenId: string): Promise<void> {
  await store.delete(['ended_token', tokenId]);
}

/** True if a token was ended before its time. Does no lookup while no token of this store was ended. */
export function isEnded({ store }: Pick<Ends, 'store'>, tokenId: string): boolean | Promise<boolean> {
  return used.has(store) && store.get(['ended_token', tokenId]).then(ended => ended === true);
}

/** Details for the refusal of an ended code or token. The client only sees that it is expired. */
export function endedDetails(ids: { readonly tokenId: string; readonly authorizationId: string }): ErrorDetails {
  return {
    sent: `${ids.tokenId}, ended with Expire now`,
    expected: 'a token or code that has not been ended',
    about: ids,
  };
}

/** Key under which an ended ID Token is remembered: an ID Token has no `jti` that would lead to its `tok_…`. */
export function idTokenMark(idToken: string): string {
  return hash('sha256', idToken, 'base64url');
}
