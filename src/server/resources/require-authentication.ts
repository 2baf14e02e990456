import type { ResourceReason } from '../../record/resource-reason.ts';
import { describe } from './challenge.ts';
import { anyOf, asSent, type Compared, moment } from './compared.ts';
import { Problem } from './problem.ts';
import type { Claims } from './token-claims.ts';

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
  const expected = `a login at most ${maxAge} s ago; now is ${moment(now)}`;
  if (typeof auth_time !== 'number' || !Number.isFinite(auth_time)) {
    const description = `auth_time is ${describe(auth_time)}; expected the time of a login`;
    const sent = asSent('auth_time', auth_time);
    throw refuse('authentication_time_missing', description, { sent, expected });
  }
  if (now - auth_time > maxAge) {
    const description = `the login is ${now - auth_time} s old; at most ${maxAge} s are accepted`;
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
