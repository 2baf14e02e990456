import { hash } from 'node:crypto';
import type { Store } from '../base/store.ts';
import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { ErrorDetails } from './errors.ts';

// Authorizations that have a record in the store, and authorizations that were revoked.

/** Revokes everything that was issued, or will be issued, from one authorization (RFC 6749 §4.1.2, RFC 9700 §4.14). */
export async function revokeAuthorization(server: AuthorizationServer, authorizationId: string): Promise<void> {
  await server.store.put(['revoked_authorization', authorizationId], true, longestLifetime(server));
}

/** True if the authorization was revoked, or its client deleted (RFC 7592 §2.3). */
export async function isRevoked(
  server: AuthorizationServer,
  authorizationId: string,
  client_id?: unknown,
): Promise<boolean> {
  for (const id of lineageOf(authorizationId)) {
    if ((await server.store.get(['revoked_authorization', id])) === true) return true;
  }
  return typeof client_id === 'string' && (await server.store.get(['deleted_client', client_id])) === true;
}

const lineageMark = '~';

/**
 * Id of an authorization by token exchange (RFC 8693). It begins with the id of the authorization it came from, so
 * revoking that one ends this one, too, and not the other way round.
 */
export function descendantId(parentId: string, ownId: string): string {
  return parentId + lineageMark + ownId;
}

/** The ids of an authorization and of those it came from, the oldest first. */
export function lineageOf(authorizationId: string): readonly string[] {
  if (!authorizationId.includes(lineageMark)) return [authorizationId];
  const own = authorizationId.split(lineageMark);
  return own.map((_, index) => own.slice(0, index + 1).join(lineageMark));
}

/** Seconds of the longest token. A client with a metadata document is in no directory; it has the default lifetimes. */
function longestLifetime({ clients, lifetimes }: AuthorizationServer): number {
  const ofClients = [...clients.values()].map(each =>
    Math.max(each.access_token_lifetime, each.refresh_token_lifetime ?? 0),
  );
  return Math.max(lifetimes.accessToken, lifetimes.refreshToken, ...ofClients);
}

/** Stores an authorization whose tokens do not carry all of it. Most authorizations need no record. */
export async function putAuthorization(server: AuthorizationServer, authorization: Authorization): Promise<void> {
  await server.store.put(['authorization', authorization.id], authorization, longestLifetime(server));
}

export function findAuthorization(server: AuthorizationServer, id: string): Promise<Authorization | undefined> {
  return server.store.get<Authorization>(['authorization', id]);
}

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

/** The grant behind a refresh token. */
export interface RefreshTokenRecord {
  readonly authorization: Authorization;
  readonly tokenId: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
  /** The client revoked it (RFC 7009), so a later use does not count as theft. */
  readonly revoked?: true;
}

/**
 * Stores a refresh token twice: one copy is taken when it is used, the other recognises it afterwards. Both are written
 * before it is used, so that of two uses at once the second one finds the copy.
 */
export async function putRefreshToken(
  server: AuthorizationServer,
  token: string,
  issued: Pick<RefreshTokenRecord, 'authorization' | 'tokenId'>,
  lifetime: number,
): Promise<void> {
  const iat = server.clock();
  const record: RefreshTokenRecord = { ...issued, iat, exp: iat + lifetime };
  const kinds = ['issued_refresh_token', 'refresh_token'] as const; // in this order, because it may be used at once
  await Promise.all(kinds.map(kind => server.store.put([kind, token], record, lifetime)));
}

/** Takes a refresh token out of use. The remaining copy says why. */
export async function withdrawRefreshToken(
  server: AuthorizationServer,
  token: string,
  record: RefreshTokenRecord,
): Promise<void> {
  const withdrawn: RefreshTokenRecord = { ...record, revoked: true };
  await server.store.put(['issued_refresh_token', token], withdrawn, record.exp - server.clock());
  await server.store.delete(['refresh_token', token]);
}

type Ends = Pick<AuthorizationServer, 'store' | 'clock'>;

/** Stores in which this process ended a token. In all others that are not shared no token needs a lookup. */
const endedIn = new WeakSet<Store>();

/** Seconds after its end for which a token may still be accepted (clock skew) or recognised (a code). */
const lookedUpFor = 3600;

/**
 * Ends a token before its time: from now on this server treats it as expired. `until` is the `exp` of the token, in Unix
 * seconds. A `tok_…` id names a code, an access token or a refresh token; `idTokenMark` names an ID token.
 */
export async function endToken({ store, clock }: Ends, tokenId: string, until: number): Promise<void> {
  endedIn.add(store);
  await store.put(['ended_token', tokenId], true, Math.max(0, until - clock()) + lookedUpFor);
}

/** Must be called when a store was given ended tokens in another way than by `endToken`. */
export function lookForEndedTokens(store: Store): void {
  endedIn.add(store);
}

/** Undoes `endToken`: a token that has not expired is valid again. */
export async function resumeToken({ store }: Pick<Ends, 'store'>, tokenId: string): Promise<void> {
  await store.delete(['ended_token', tokenId]);
}

/** True if a token was ended before its time. Looks nothing up if no token of this store was ever ended. */
export function isEnded({ store }: Pick<Ends, 'store'>, tokenId: string): boolean | Promise<boolean> {
  return (
    (store.isShared === true || endedIn.has(store)) && store.get(['ended_token', tokenId]).then(ended => ended === true)
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

/** The id of an ended ID token: unlike other tokens it has no `jti` that leads to its `tok_…` id. */
export function idTokenMark(idToken: string): string {
  return hash('sha256', idToken, 'base64url');
}
