import { describe } from './challenge.ts';
import { Problem } from './problem.ts';

/** RFC 6750 §3.1: expired, revoked, malformed or invalid for other reasons; the description says which. */
export function invalidToken(description: string): Problem {
  return challenged(401, 'invalid_token', description);
}

function challenged(status: 400 | 401, error: 'invalid_request' | 'invalid_token', description: string): Problem {
  return new Problem(status, description, { challenge: { error, error_description: description }, members: { error } });
}

const bearerHeader = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 §2.1), the only method supported: one in the query or a form
 * (§2.2, §2.3) is ignored. Without a header, or with one of another scheme, the challenge has no error code (§3).
 */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw unauthenticated('there is no Authorization header; send the access token as Authorization: Bearer <token>');
  }
  const token = bearerHeader.exec(authorization)?.[1];
  if (token !== undefined) return token;
  const scheme = authorization.trim().split(/\s/, 1)[0] ?? '';
  if (scheme.toLowerCase() !== 'bearer') {
    throw unauthenticated(`the scheme of the Authorization header is ${describe(scheme)}; expected Bearer`);
  }
  throw challenged(
    400,
    'invalid_request',
    'the Authorization header is malformed; expected Bearer, a space and one token of letters, digits and -._~+/',
  );
}

function unauthenticated(detail: string): Problem {
  return new Problem(401, detail, { challenge: {} });
}
