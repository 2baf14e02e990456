import { OAuthError } from './errors.ts';

/** The most characters of the claims of one token, as JSON. Servers that read tokens refuse headers a fraction as long. */
export const mostClaims = 256 * 1024;

/** @throws server_error for claims above the limit; `what` is the beginning of the sentence */
export function refuseLongClaims(what: string): never {
  const description = `${what} more than ${mostClaims / 1024} kB, which is the most for one token`;
  throw new OAuthError('server_error', 'token_too_large', description);
}
