import { invalidRequest } from '../errors.ts';
import { parameter, type RequestParameters } from '../parameters.ts';

/**
 * The access token of a request: `Authorization: Bearer` (RFC 6750 §2.1) or, for UserInfo, the form body (§2.2). A token
 * in the query is ignored (OAuth 2.1 §5.1.1), and so is a header with another scheme (RFC 6750 §3.1).
 * @throws invalid_request for a malformed Bearer header, or for two methods at once
 */
export function bearerToken(authorization: string | undefined, body?: RequestParameters): string | undefined {
  const fromBody = body === undefined ? undefined : parameter(body, 'access_token');
  const fromHeader = tokenOf(authorization, 'Bearer');
  if (fromHeader === undefined || fromBody === undefined) return fromHeader ?? fromBody;
  const description = 'the access token is sent twice: in the Authorization header and in the body';
  throw invalidRequest('authentication_methods_combined', description, { expected: 'one of the two' });
}

/**
 * The access token of `Authorization: DPoP` (RFC 9449 §7.1); undefined for another scheme.
 * @throws invalid_request for a malformed header
 */
export function dpopToken(authorization: string | undefined): string | undefined {
  return tokenOf(authorization, 'DPoP');
}

function tokenOf(authorization: string | undefined, scheme: 'Bearer' | 'DPoP'): string | undefined {
  const header = authorization?.trim() ?? '';
  if (!new RegExp(`^${scheme}(\\s|$)`, 'i').test(header)) return undefined;
  const token = /^\w+ +([A-Za-z0-9\-._~+/]+=*)$/.exec(header)?.[1];
  if (token !== undefined) return token;
  const description = `the Authorization header must be ${scheme}, a space and one access token`;
  throw invalidRequest('bearer_header_malformed', description, { expected: `Authorization: ${scheme} <access token>` });
}
