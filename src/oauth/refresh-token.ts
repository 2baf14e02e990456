import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** The grant behind a refresh token. */
export interface RefreshTokenRecord {
  readonly authorization: Authorization;
  readonly tokenId: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
  /** Its client took it back (RFC 7009), so that nobody takes a later use for theft. */
  readonly revoked?: true;
}

/**
 * Keeps a refresh token twice: once to be taken, once to be recognised after it was taken. The second is written with the
 * first, so that of two uses at the same moment the loser already finds it.
 */
export async function putRefreshToken(
  server: AuthorizationServer,
  token: string,
  issued: Pick<RefreshTokenRecord, 'authorization' | 'tokenId'>,
  lifetime: number,
): Promise<void> {
  const iat = server.clock();
  const record: RefreshTokenRecord = { ...issued, iat, exp: iat + lifetime };
  await server.store.put(['issued_refresh_token', token], record, lifetime);
  await server.store.put(['refresh_token', token], record, lifetime);
}

/** Takes a refresh token out of use; what is left of it says why. */
export async function withdrawRefreshToken(
  server: AuthorizationServer,
  token: string,
  record: RefreshTokenRecord,
): Promise<void> {
  await server.store.delete(['refresh_token', token]);
  const withdrawn: RefreshTokenRecord = { ...record, revoked: true };
  await server.store.put(['issued_refresh_token', token], withdrawn, record.exp - server.clock());
}
