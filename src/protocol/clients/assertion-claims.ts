import type { JWTPayload } from 'jose';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import {
  areTimes,
  checkBegun,
  checkByEitherClock,
  checkNotExpired,
  type TimeFaults,
  useJwtOnce,
} from '../client-time.ts';
import type { Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import type { RegisteredClient } from './client.ts';

/** Longest lifetime of an assertion in seconds; its `jti` is remembered as long. */
const longestLifetime = 3600;

interface AssertionContext {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  /** Path of the endpoint that received the request. */
  readonly path: string | undefined;
  readonly refuse: Refuse;
}

/**
 * Checks the claims of a client assertion whose signature is valid (RFC 7523 §3): it is for this server, in its time, and
 * used once.
 * @throws invalid_client
 */
export async function checkAssertionClaims(context: AssertionContext, claims: JWTPayload): Promise<void> {
  checkAudience(context, claims);
  checkByEitherClock(context.server, now => checkTime(now, context, claims));
  await checkOnce(context, claims);
}

/**
 * The issuer, the token endpoint, or the called endpoint (RFC 9126 §2). FAPI 2.0 §5.3.2.1 and the draft that updates RFC 7523
 * leave only the issuer.
 */
function checkAudience({ server, path, refuse }: AssertionContext, { aud }: JWTPayload): void {
  const strictly = server.profile === 'fapi2' || server.assertionAudience === 'issuer';
  const here = path === undefined ? [] : addressesOf(server, '').map(address => new URL(address).origin + path);
  const ours = strictly ? [server.iss] : [server.iss, ...addressesOf(server, server.paths.token), ...here];
  const values: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (strictly ? aud === server.iss : values.some(value => ours.some(each => each === value))) return;
  throw refuse('client_assertion_audience_mismatch', 'aud of the client_assertion is not this server', {
    sent: shorten(aud === undefined ? 'none' : JSON.stringify(aud)),
    expected: strictly ? `${server.iss}, as a single string` : ours.join(' or '),
  });
}

const timeFaults: TimeFaults = { name: 'the client_assertion', kind: 'client_assertion' };

function checkTime(now: number, { refuse }: AssertionContext, claims: JWTPayload): void {
  const { exp, nbf, iat } = claims;
  if (exp === undefined || !areTimes(exp, nbf, iat)) {
    const description = 'exp of the client_assertion is missing, or a time is not a number';
    throw refuse('client_assertion_time_malformed', description, {
      expected: 'exp, and nbf and iat if present, in seconds since 1970',
    });
  }
  checkNotExpired(now, claims, timeFaults, refuse);
  if (exp > now + longestLifetime) {
    throw refuse('client_assertion_lives_too_long', 'exp of the client_assertion is too far ahead', {
      sent: `exp ${exp}, now is ${now}`,
      expected: `at most ${longestLifetime} s from now; in seconds, not milliseconds`,
    });
  }
  checkBegun(now, claims, timeFaults, refuse);
}

/** RFC 7523 §3, item 7. The last of all checks, so that a refused assertion is not used up. */
async function checkOnce({ server, client, refuse }: AssertionContext, { jti, exp = 0 }: JWTPayload): Promise<void> {
  if (typeof jti !== 'string' || jti === '') {
    throw refuse('client_assertion_jti_missing', 'the client_assertion has no jti', {
      expected: 'a fresh jti (OIDC Core §9)',
    });
  }
  if (await useJwtOnce(server, 'client_assertion', [client.client_id, jti], exp)) return;
  throw refuse('client_assertion_replayed', 'this client_assertion was used before', {
    sent: `jti ${shorten(jti)}`,
    expected: 'a new assertion for each request',
  });
}
