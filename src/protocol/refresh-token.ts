import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';

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
