import { describe } from './challenge.ts';
import { Problem } from './problem.ts';

/** RFC 6750 §3.1: expired, revoked, malformed or invalid for other reasons; the description says which. */
export function invalidToken(description: string): Problem {
  return challenged(401, 'invalid_token', description);
}

function challenged(status: 400 | 401, error: 'invalid_request' | 'invalid_token', description: string): Problem {
  return new Problem(status, description, { challenge: { error, error_description: description }, members: { error } });
}

/** A token as it was sent. */
export interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

const tokenHeader = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * The token of an `Authorization` header, Bearer (RFC 6750 §2.1) or, where `dpopAlgorithms` says what signs proofs, DPoP
 * (RFC 9449 §7.1). It is the only method supported: a token in the query or a form (§2.2, §2.3) is ignored. Without a header,
 * or with one of another scheme, the challenge has no error code (§3).
 */
export function readAccessToken(
  authorization: string | undefined,
  dpopAlgorithms: readonly string[] | undefined,
): PresentedToken {
  if (authorization === undefined) {
    throw unauthenticated('there is no Authorization header; send the access token as Authorization: Bearer <token>');
  }
  const scheme = authorization.trim().split(/\s/, 1)[0] ?? '';
  const known = ['Bearer', ...(dpopAlgorithms === undefined ? [] : ['DPoP'])];
  if (!known.some(each => each.toLowerCase() === scheme.toLowerCase())) {
    throw unauthenticated(
      `the scheme of the Authorization header is ${describe(scheme)}; expected ${known.join(' or ')}`,
    );
  }
  const token = tokenHeader.exec(authorization.trim())?.[2];
  if (token !== undefined) return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
  throw challenged(
    400,
    'invalid_request',
    'the Authorization header is malformed; expected the scheme, a space and one token of letters, digits and -._~+/',
  );
}

function unauthenticated(detail: string): Problem {
  return new Problem(401, detail, { challenge: {} });
}
