import { describe } from './challenge.ts';
import type { Claims } from './jws.ts';
import { Problem } from './problem.ts';

/** What the login behind a token must have been (RFC 9470 §3). */
export interface AuthenticationRequirement {
  /** One of these must be the `acr`. */
  readonly acrValues?: readonly string[] | undefined;
  /** Seconds since `auth_time`, at most. */
  readonly maxAge?: number | undefined;
}

/**
 * Throws 401 `insufficient_user_authentication` (RFC 9470 §3) where the login was too weak or is too old; the challenge
 * says what to ask the authorization server for.
 */
export function requireAuthentication(
  { acr, auth_time }: Claims,
  { acrValues, maxAge }: AuthenticationRequirement,
  now: number,
): void {
  if (acrValues !== undefined && !(typeof acr === 'string' && acrValues.includes(acr))) {
    throw insufficient(`acr is ${describe(acr)}; expected ${acrValues.map(describe).join(' or ')}`, acrValues, maxAge);
  }
  if (maxAge === undefined) return;
  if (typeof auth_time !== 'number' || !Number.isFinite(auth_time)) {
    throw insufficient(`auth_time is ${describe(auth_time)}; expected the time of a login`, acrValues, maxAge);
  }
  if (now - auth_time > maxAge) {
    throw insufficient(`the login is ${now - auth_time} s old; at most ${maxAge} s are accepted`, acrValues, maxAge);
  }
}

function insufficient(
  description: string,
  acrValues: readonly string[] | undefined,
  maxAge: number | undefined,
): Problem {
  const error = 'insufficient_user_authentication';
  const wanted = {
    ...(acrValues === undefined ? {} : { acr_values: acrValues.join(' ') }),
    ...(maxAge === undefined ? {} : { max_age: String(maxAge) }),
  };
  return new Problem(401, description, {
    challenge: { error, error_description: description, ...wanted },
    members: { error, ...wanted, ...(maxAge === undefined ? {} : { max_age: maxAge }) },
  });
}
