import { hash } from 'node:crypto';
import type { Store } from '../base/store.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ErrorDetails } from './errors.ts';

type Ends = Pick<AuthorizationServer, 'store' | 'clock'>;

/** Stores in which this process ended a token. In all others that are not shared no token needs a lookup. */
const used = new WeakSet<Store>();

/** Seconds after its end for which a token may still be accepted (clock skew) or recognised (a code). */
const recognisedFor = 3600;

/**
 * Ends a token before its time: from now on this server treats it as expired. `until` is the `exp` of the token, in Unix
 * seconds. A `tok_…` id names a code, an access token or a refresh token; `idTokenMark` names an ID Token.
 */
export async function endToken({ store, clock }: Ends, tokenId: string, until: number): Promise<void> {
  used.add(store);
  await store.put(['ended_token', tokenId], true, Math.max(0, until - clock()) + recognisedFor);
}

/** Must be called when a store was given ended tokens in another way than by `endToken`. */
export function lookForEndedTokens(store: Store): void {
  used.add(store);
}

/** Undoes `endToken`: a token that has not expired is valid again. */
export async function resumeToken({ store }: Pick<Ends, 'store'>, tokenId: string): Promise<void> {
  await store.delete(['ended_token', tokenId]);
}

/** True if a token was ended before its time. Looks nothing up if no token of this store was ever ended. */
export function isEnded({ store }: Pick<Ends, 'store'>, tokenId: string): boolean | Promise<boolean> {
  return (
    (store.isShared === true || used.has(store)) && store.get(['ended_token', tokenId]).then(ended => ended === true)
  );
}

/** Details for the refusal of an ended code or token. The client only sees that it is expired. */
export function endedDetails(ids: { readonly tokenId: string; readonly authorizationId: string }): ErrorDetails {
  return {
    sent: `${ids.tokenId}, ended with Expire now`,
    expected: 'a token or code that has not been ended',
    about: ids,
  };
}

/** The id of an ended ID Token: unlike other tokens it has no `jti` that leads to its `tok_…` id. */
export function idTokenMark(idToken: string): string {
  return hash('sha256', idToken, 'base64url');
}
