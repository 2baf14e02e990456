import { authorizationCode } from './authorization-code.ts';
import { clientCredentials } from './client-credentials.ts';
import type { GrantHandler } from './grant.ts';
import { refreshToken } from './refresh-token.ts';

/** Every grant there is, by its `grant_type`. To add one: its file, a line here, its test. */
export const grants: ReadonlyMap<string, GrantHandler> = new Map(
  [authorizationCode, refreshToken, clientCredentials].map(grant => [grant.grantType, grant]),
);
