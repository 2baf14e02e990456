import type { AuthorizationServer } from './authorization-server.ts';
import { type ErrorCode, OAuthError } from './errors.ts';

/** An error as clients of this server read it. The log keeps the original. */
export function spokenError({ dialect }: Pick<AuthorizationServer, 'dialect'>, original: OAuthError): OAuthError {
  const spoken = dialect?.spoken(original);
  if (spoken === undefined) return original;
  const { error = original.code, error_description = original.description, status = original.status, isBare } = spoken;
  // a provider has codes of its own; only the answer has them
  return new OAuthError(error as ErrorCode, original.reason, error_description, {
    ...original.details,
    status,
    ...(isBare && { isBare }),
  });
}
