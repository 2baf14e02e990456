import { X509Certificate } from 'node:crypto';
import type { Request } from 'express';
import type { ResourceReason } from '../../record/resource-reason.ts';
import { type AccessTokenOptions, createAccessTokenCheck } from './access-token.ts';
import { type AudienceOptions, checkAudience } from './audience.ts';
import { invalidToken, type PresentedToken, readAccessToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { anyOf, asSent, type Compared, moment } from './compared.ts';
import { createDpopCheck, type DpopOptions } from './dpop.ts';
import { Problem, withExtras } from './problem.ts';
import type { Claims } from './token-claims.ts';

export interface AuthenticationOptions extends AccessTokenOptions, AudienceOptions {
  /** Absent: the scheme DPoP is not accepted. */
  readonly dpop?: DpopOptions;
  /** True if an unexpired token was ended before its time. It is then refused as expired. */
  readonly isEnded?: (claims: Claims) => boolean | Promise<boolean>;
}

/**
 * Authenticates the caller: returns the claims of a valid access token that was sent with the key it is bound to. A
 * refusal is a 401 problem.
 */
export type Authentication = (request: Request, identifiers: readonly string[]) => Promise<Claims>;

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const checkToken = createAccessTokenCheck(options);
  const checkProof = options.dpop === undefined ? undefined : createDpopCheck(options.dpop, options.clock);

  async function checkUse(claims: Claims, presented: PresentedToken, request: Request, identifiers: readonly string[]) {
    const isEnded = options.isEnded?.(claims) ?? false;
    if (isEnded !== false && (await isEnded)) throw ended(claims);
    checkAudience(claims, options, identifiers);
    checkCertificateBinding(claims, request);
    await checkProof?.(presented, claims, request);
  }

  return async (request, identifiers) => {
    const presented = readAccessToken(request, options.dpop?.algorithms);
    const claims = await checkToken(presented.token);
    try {
      await checkUse(claims, presented, request, identifiers);
    } catch (error) {
      throw withExtras(error, { claims });
    }
    return claims;
  };
}

function ended({ exp }: Claims): Problem {
  return invalidToken('token_ended', 'the token has expired: it was ended early', {
    sent: 'a token that was ended with Expire now',
    expected: `a token that has not been ended; its exp is ${typeof exp === 'number' ? moment(exp) : 'unknown'}`,
  });
}

/**
 * Accepts a token that is bound to a client certificate only on a connection with this certificate (RFC 8705 §3). A
 * refusal is a 401 `invalid_token` problem.
 */
function checkCertificateBinding({ cnf }: Claims, { socket }: { readonly socket: object }): void {
  const bound = thumbprintIn(cnf);
  if (bound === undefined) return;
  const shown = peerThumbprint(socket);
  if (shown === bound) return;
  const expected = `the certificate with x5t#S256 ${asSent('x5t#S256', bound)}`;
  if (shown === undefined) {
    const detail = 'the token is bound to a client certificate, and the connection shows none; connect with mutual TLS';
    throw invalidToken('certificate_missing', detail, { sent: 'no client certificate', expected });
  }
  throw invalidToken(
    'certificate_mismatch',
    `the token is bound to a different client certificate than the connection shows; expected one with x5t#S256 ${describe(bound)}`,
    { sent: `the certificate with x5t#S256 ${shown}`, expected },
  );
}

/** RFC 8705 §3.1. A value that is not text matches no certificate. */
function thumbprintIn(cnf: unknown): unknown {
  return typeof cnf === 'object' && cnf !== null && 'x5t#S256' in cnf ? cnf['x5t#S256'] : undefined;
}

/** Thumbprint of the certificate of the TLS connection. Never taken from a header, because anybody could write one. */
function peerThumbprint(socket: object): string | undefined {
  if (!('getPeerX509Certificate' in socket) || typeof socket.getPeerX509Certificate !== 'function') return undefined;
  const certificate: unknown = socket.getPeerX509Certificate();
  if (!(certificate instanceof X509Certificate)) return undefined;
  return Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}

/** Requirements for the login behind a token (RFC 9470 §3). */
export interface AuthenticationRequirement {
  /** One of these must be the `acr`. */
  readonly acrValues?: readonly string[] | undefined;
  /** Seconds since `auth_time`, at most. */
  readonly maxAge?: number | undefined;
}

/**
 * Throws 401 `insufficient_user_authentication` (RFC 9470 §3) if the login was too weak or is too old; the challenge
 * says what to ask the authorization server for.
 */
export function requireAuthentication(
  { acr, auth_time }: Claims,
  requirement: AuthenticationRequirement,
  now: number,
): void {
  const { acrValues, maxAge } = requirement;
  const refuse = (reason: ResourceReason, description: string, compared: Compared) =>
    insufficient(requirement, { reason, description, compared });
  if (acrValues !== undefined && !(typeof acr === 'string' && acrValues.includes(acr))) {
    const description = `acr is ${describe(acr)}; expected ${acrValues.map(describe).join(' or ')}`;
    throw refuse('authentication_too_weak', description, { sent: asSent('acr', acr), expected: anyOf(acrValues) });
  }
  if (maxAge === undefined) return;
  const expected = `a sign-in at most ${maxAge} s ago; now is ${moment(now)}`;
  if (typeof auth_time !== 'number' || !Number.isFinite(auth_time)) {
    const description = `auth_time is ${describe(auth_time)}; expected the time of a sign-in`;
    const sent = asSent('auth_time', auth_time);
    throw refuse('authentication_time_missing', description, { sent, expected });
  }
  if (now - auth_time > maxAge) {
    const description = `the sign-in is ${now - auth_time} s old; at most ${maxAge} s are accepted`;
    const sent = `auth_time ${moment(auth_time)}, ${now - auth_time} s ago`;
    throw refuse('authentication_too_old', description, { sent, expected });
  }
}

function insufficient(
  { acrValues, maxAge }: AuthenticationRequirement,
  { reason, description, compared }: { reason: ResourceReason; description: string; compared: Compared },
): Problem {
  const error = 'insufficient_user_authentication';
  const wanted = {
    ...(acrValues === undefined ? {} : { acr_values: acrValues.join(' ') }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  };
  return new Problem(401, reason, description, {
    challenge: { error, error_description: description, ...wanted },
    members: { error, ...wanted, ...(maxAge === undefined ? {} : { max_age: maxAge }) },
    ...compared,
  });
}
