import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** The grant behind an authorization code, and the values the token request must repeat (RFC 6749 §4.1.3). */
export interface CodeRecord {
  readonly authorization: Authorization;
  readonly redirect_uri: string;
  /** The authorization request had none. */
  readonly hasNoRedirectUri?: true;
  readonly code_challenge?: string;
  /** The DPoP key that the code must be redeemed with (RFC 9449 §10). */
  readonly dpop_jkt?: string;
  readonly tokenId: string;
  /** Unix seconds. */
  readonly exp: number;
}

/** Seconds for which a used code is remembered: a replay revokes the tokens issued for it (RFC 6749 §4.1.2). */
const recognisedFor = 3600;

/** True if a code that was issued, and is still recognised, was taken. */
export async function wasRedeemed({ store }: Pick<AuthorizationServer, 'store'>, code: string): Promise<boolean> {
  return (await store.get(['code', code])) === undefined;
}

/** Stores a code that cannot be redeemed. It is sent with a wrong `state`, to see whether the client checks `state`. */
export async function putDecoy(server: AuthorizationServer): Promise<string> {
  const code = server.random.secret();
  await server.store.put(['decoy_code', code], true, recognisedFor);
  return code;
}

export async function isDecoy({ store }: Pick<AuthorizationServer, 'store'>, code: string): Promise<boolean> {
  return (await store.get(['decoy_code', code])) === true;
}

/**
 * Stores a code twice, like a refresh token: one copy is taken when it is redeemed, the other recognises a replay. Both stay for
 * as long as the code is recognised, so that a missing copy means that the code was redeemed, and not that it expired: taking it
 * and remembering that are one step.
 */
export async function putCode(server: AuthorizationServer, code: string, record: CodeRecord): Promise<void> {
  const lifetime = server.lifetimes.code + recognisedFor;
  const kinds = ['issued_code', 'code'] as const; // in this order, because a code that is taken must be recognised
  await Promise.all(kinds.map(kind => server.store.put([kind, code], record, lifetime)));
}
