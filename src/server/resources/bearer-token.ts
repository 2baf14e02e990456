import type { Request } from 'express';
import { otherScheme, otherToken } from '../../base/text/authorization-header.ts';
import type { ResourceReason } from '../../record/resource-reason.ts';
import { anyOf, type Compared } from './compared.ts';
import { Problem } from './problem.ts';

/** RFC 6750 §3.1: expired, revoked, malformed or invalid for other reasons; the description says which. */
export function invalidToken(reason: ResourceReason, description: string, compared: Compared): Problem {
  return challenged(401, 'invalid_token', { reason, description, compared });
}

function challenged(
  status: 400 | 401,
  error: 'invalid_request' | 'invalid_token',
  { reason, description, compared }: { reason: ResourceReason; description: string; compared: Compared },
): Problem {
  const challenge = { error, error_description: description };
  return new Problem(status, reason, description, { challenge, members: { error }, ...compared });
}

/** A token as it was sent. */
export interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly token: string;
}

const tokenHeader = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*) *$/i;
const wanted = 'Authorization: Bearer <access token>';

/**
 * Reads the token of an `Authorization` header: Bearer (RFC 6750 §2.1) or, if `dpopAlgorithms` is given, DPoP (RFC 9449
 * §7.1). No other method is supported: a token in the query or a form (§2.2, §2.3) is ignored. Without a header, or with
 * another scheme, the challenge has no error code (§3).
 */
export function readAccessToken(
  { headersDistinct, url }: Pick<Request, 'headersDistinct' | 'url'>,
  dpopAlgorithms: readonly string[] | undefined,
): PresentedToken {
  const [authorization, ...others] = headersDistinct.authorization ?? [];
  if (authorization === undefined) throw noHeader(url);
  if (others.length > 0) throw severalHeaders(others.length + 1);
  const header = authorization.trim();
  const scheme = header.split(/\s/, 1)[0] ?? '';
  const known = ['Bearer', ...(dpopAlgorithms === undefined ? [] : ['DPoP'])];
  if (!known.some(each => each.toLowerCase() === scheme.toLowerCase())) {
    const { sent, clause } = otherScheme(header);
    throw unauthenticated('scheme_not_bearer', `${clause}; expected ${known.join(' or ')}`, {
      sent,
      expected: anyOf(known),
    });
  }
  const token = tokenHeader.exec(header)?.[2];
  if (token !== undefined) return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
  const sent = otherToken(header.slice(scheme.length));
  throw challenged(400, 'invalid_request', {
    reason: 'authorization_malformed',
    description: `the Authorization header has ${sent}; expected the scheme, a space and one token of letters, digits and -._~+/`,
    compared: { sent, expected: wanted },
  });
}

/**
 * Refuses several headers: Node keeps the first and drops the others, and any of them could be the one that was meant
 * (RFC 9110 §5.3).
 */
function severalHeaders(count: number): Problem {
  return challenged(400, 'invalid_request', {
    reason: 'authorization_repeated',
    description: `there are ${count} Authorization headers; expected one`,
    compared: { sent: `${count} Authorization headers`, expected: wanted },
  });
}

function noHeader(url: string): Problem {
  const instead = 'send the access token as Authorization: Bearer <token>';
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?'))) : undefined;
  const isInQuery = query?.has('access_token') === true;
  return isInQuery
    ? unauthenticated('token_in_query', `the access token is in the query of the address; ${instead}`, {
        sent: 'access_token in the query',
        expected: wanted,
      })
    : unauthenticated('token_missing', `there is no Authorization header; ${instead}`, {
        sent: 'no Authorization header',
        expected: wanted,
      });
}

function unauthenticated(reason: ResourceReason, detail: string, compared: Compared): Problem {
  return new Problem(401, reason, detail, { challenge: {}, ...compared });
}
