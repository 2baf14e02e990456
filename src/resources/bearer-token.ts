import type { Request } from 'express';
import { describe } from './challenge.ts';
import { anyOf, type Compared } from './compared.ts';
import { Problem } from './problem.ts';
import type { ResourceReason } from './reason.ts';

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
const longestScheme = 20;
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
    const detail = `the scheme of the Authorization header is ${schemeInWords(scheme)}; expected ${known.join(' or ')}`;
    throw unauthenticated('scheme_not_bearer', detail, { sent: shownScheme(scheme), expected: anyOf(known) });
  }
  const token = tokenHeader.exec(header)?.[2];
  if (token !== undefined) return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
  throw challenged(400, 'invalid_request', {
    reason: 'authorization_malformed',
    description:
      'the Authorization header is malformed; expected the scheme, a space and one token of letters, digits and -._~+/',
    compared: { sent: whatIsWrong(header.slice(scheme.length)), expected: wanted },
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
  const detail = 'there is no Authorization header; send the access token as Authorization: Bearer <token>';
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?'))) : undefined;
  const isInQuery = query?.has('access_token') === true;
  return isInQuery
    ? unauthenticated('token_in_query', detail, { sent: 'access_token in the query', expected: wanted })
    : unauthenticated('token_missing', detail, { sent: 'no Authorization header', expected: wanted });
}

function unauthenticated(reason: ResourceReason, detail: string, compared: Compared): Problem {
  return new Problem(401, reason, detail, { challenge: {}, ...compared });
}

/** `Authorization: <token>` without a scheme has the token in the place of the scheme, so it is never repeated. */
function shownScheme(scheme: string): string {
  return scheme.length > longestScheme ? `${scheme.length} characters without a scheme` : scheme;
}

function schemeInWords(scheme: string): string {
  return scheme.length > longestScheme ? 'missing' : describe(scheme);
}

/** Describes the text after the scheme without quoting it, because it may be most of a valid token. */
function whatIsWrong(rest: string): string {
  const text = rest.trim();
  if (text === '') return 'the scheme with nothing after it';
  if (/^["'].*["']$/.test(text)) return 'the token in quotes';
  if (rest.startsWith('\t')) return 'a tab after the scheme';
  if (/[\s,]/.test(text)) return 'more than one token after the scheme';
  const [foreign] = /[^A-Za-z0-9._~+/=-]/.exec(text) ?? [];
  return foreign === undefined ? 'a token with = in the middle' : `a token with ${describe(foreign)} in it`;
}
