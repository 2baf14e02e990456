import { type OtherScheme, otherScheme, otherToken } from '../../base/text/authorization-header.ts';
import { invalidRequest, invalidToken, type OAuthError, type Reason } from '../errors.ts';
import { parameter, type RequestParameters } from '../parameters.ts';

/**
 * The access token of a request: `Authorization: Bearer` (RFC 6750 §2.1) or, for UserInfo, the form body (§2.2). A token
 * in the query is ignored (OAuth 2.1 §5.1.1), and so is a header with another scheme (RFC 6750 §3.1); `noAccessToken` names both.
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
  const sent = otherToken(header.slice(scheme.length));
  const description = `the Authorization header has ${sent}; expected ${scheme}, a space and one access token`;
  const expected = `Authorization: ${scheme} <access token>`;
  throw invalidRequest('bearer_header_malformed', description, { sent, expected });
}

/** Reasons of a request without a token, or with an unsupported scheme: the challenge has no error code (RFC 6750 §3.1). */
export const withoutToken: ReadonlySet<string> = new Set<Reason>([
  'access_token_in_query',
  'access_token_missing',
  'access_token_scheme_wrong',
]);

interface Wanted {
  readonly isInQuery?: boolean;
  /** The words of a provider on the wire, whatever the request has in place of the token. */
  readonly description?: string;
  readonly expected?: string;
}

/** The refusal of a request without an access token, which names what the request has in its place. */
export function noAccessToken(
  authorization: string | undefined,
  { isInQuery = false, description, expected = 'Authorization: Bearer <access token>' }: Wanted = {},
): OAuthError {
  const other = otherHeader(authorization);
  if (other !== undefined) {
    const { sent, clause } = other;
    return invalidToken('access_token_scheme_wrong', description ?? `${clause}; expected Bearer`, { sent, expected });
  }
  if (!isInQuery) return invalidToken('access_token_missing', description ?? 'no access token was sent', { expected });
  const sent = 'access_token in the query';
  const words = 'the access token is in the query of the address; send it in the Authorization header';
  return invalidToken('access_token_in_query', words, { sent, expected });
}

/** Describes a header without the scheme Bearer; undefined if there is no header. */
export function otherHeader(authorization = ''): OtherScheme | undefined {
  return authorization.trim() === '' ? undefined : otherScheme(authorization);
}
