import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { asSent, moment } from './compared.ts';
import type { Problem } from './problem.ts';
import type { Claims } from './token-claims.ts';

/** The issuer of the tokens, and the clock their times are compared with. */
export interface Issued {
  readonly issuer: string;
  /** Unix seconds. */
  readonly clock: () => number;
  /** Seconds a token may be expired or not yet valid; 0 if absent. */
  readonly clockSkew?: number;
}

/** Checks the claims of an access token by RFC 9068 §2.2 and §4, except the audience; a refusal is a 401 problem. */
export function checkClaims(claims: Claims, options: Issued): void {
  checkIssued(claims, options);
  checkRequiredClaims(claims);
}

/** Checks `iss`, `exp` and `nbf`, which ID tokens have, too. */
export function checkIssued(claims: Claims, options: Issued): void {
  const { iss } = claims;
  if (iss !== options.issuer) {
    const compared = { sent: asSent('iss', iss), expected: options.issuer };
    throw invalidToken('issuer_mismatch', `iss is ${describe(iss)}; expected ${describe(options.issuer)}`, compared);
  }
  checkTimes(claims, options);
}

/** RFC 7519 §4.1.4: refused on `exp` and after it; §4.1.5: refused before `nbf`. */
function checkTimes({ exp, nbf }: Claims, { clock, clockSkew = 0 }: Issued): void {
  const now = clock();
  const skew = `clock skew allowed: ${clockSkew} s`;
  if (!isNumericDate(exp)) throw malformed('exp', exp, 'a number of seconds');
  if (now >= exp + clockSkew) {
    const description = `the token has expired: exp is ${exp}, ${now - exp} s ago (now ${now}, ${skew})`;
    const compared = { sent: `exp ${moment(exp)}`, expected: `later than now ${moment(now)}; ${skew}` };
    throw invalidToken('token_expired', description, compared);
  }
  if (nbf === undefined) return;
  if (!isNumericDate(nbf)) throw malformed('nbf', nbf, 'a number of seconds');
  if (now < nbf - clockSkew) {
    const description = `the token is not valid yet: nbf is ${nbf}, in ${nbf - now} s (now ${now}, ${skew})`;
    const compared = { sent: `nbf ${moment(nbf)}`, expected: `not later than now ${moment(now)}; ${skew}` };
    throw invalidToken('token_not_yet_valid', description, compared);
  }
}

function isNumericDate(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** RFC 9068 §2.2. */
export const requiredClaims = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'] as const;

/**
 * Checks the types of the claims that RFC 9068 §2.2 requires. jose checks only a few, and accepts numbers that are not
 * finite.
 */
export function checkRequiredClaims({ exp, nbf = 0, aud, sub, client_id, iat, jti }: Claims): void {
  for (const [name, value] of Object.entries({ exp, nbf })) {
    if (!isNumericDate(value)) throw malformed(name, value, 'a number of seconds');
  }
  checkString('sub', sub);
  checkString('client_id', client_id);
  checkString('jti', jti);
  if (!isNumericDate(iat)) throw malformed('iat', iat, 'a number of seconds');
  const isAudience = typeof aud === 'string' || (Array.isArray(aud) && aud.every(value => typeof value === 'string'));
  if (!isAudience) throw malformed('aud', aud, 'a string or a list of strings');
}

function checkString(name: string, value: unknown): void {
  if (typeof value !== 'string') throw malformed(name, value, 'a string');
}

function malformed(name: string, value: unknown, expected: string): Problem {
  return invalidToken('claim_malformed', `${name} is ${describe(value)}; expected ${expected}`, {
    sent: value === undefined ? `no ${name}` : `${name} ${describe(value)}`,
    expected: `${name} as ${expected}`,
  });
}
