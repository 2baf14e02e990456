import type { AuthorizationServer } from './authorization-server.ts';
import type { AskedOverHttp } from './dialect.ts';
import { type ErrorCode, OAuthError } from './errors.ts';

/** An error as clients of this server read it. The log keeps the original. */
export function spokenError(server: AuthorizationServer, original: OAuthError, asked?: AskedOverHttp): OAuthError {
  const spoken = server.dialect?.spoken(original, { server, asked });
  if (spoken === undefined) return original;
  const { error = original.code, error_description = original.description, status = original.status } = spoken;
  const { isBare, members } = spoken;
  // a provider has codes of its own; only the answer has them
  return new OAuthError(error as ErrorCode, original.reason, error_description, {
    ...original.details,
    status,
    ...(isBare && { isBare }),
    ...(members && { members }),
  });
}
