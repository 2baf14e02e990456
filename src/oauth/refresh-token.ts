import type { Authorization } from './authorization.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** What a refresh token stands for. */
export interface RefreshTokenRecord {
  readonly authorization: Authorization;
  readonly tokenId: string;
}

/**
 * Keeps a refresh token twice: once to be taken, once to be recognised after it was taken. The second is written with the
 * first, so that of two uses at the same moment the loser already finds it.
 */
export async function putRefreshToken(
  server: AuthorizationServer,
  token: string,
  record: RefreshTokenRecord,
  lifetime: number,
): Promise<void> {
  await server.store.put(['issued_refresh_token', token], record, lifetime);
  await server.store.put(['refresh_token', token], record, lifetime);
}
