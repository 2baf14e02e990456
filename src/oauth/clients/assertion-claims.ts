import type { JWTPayload } from 'jose';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import { checkByEitherClock, useJwtOnce } from '../client-time.ts';
import type { Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import type { RegisteredClient } from './client.ts';

/** Seconds a client's clock may be ahead (FAPI 2.0 Security Profile §5.3.2.1 asks for 10, and for less than 60). */
const mostAhead = 10;
/** Seconds an assertion may be good for: `jti` is remembered as long. */
const longestLifetime = 3600;

export interface AssertionContext {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  /** Of the endpoint that is asked. */
  readonly path: string | undefined;
  readonly refuse: Refuse;
}

/**
 * The claims of a client assertion whose signature is good (RFC 7523 §3): for us, in its time, and once.
 * @throws invalid_client
 */
export async function checkAssertionClaims(context: AssertionContext, claims: JWTPayload): Promise<void> {
  checkAudience(context, claims);
  checkByEitherClock(context.server, now => checkTime(now, context, claims));
  await checkOnce(context, claims);
}

/** The issuer; the token endpoint; the endpoint that is asked (RFC 9126 §2). FAPI 2.0 §5.3.2.1 leaves the issuer. */
function checkAudience({ server, path, refuse }: AssertionContext, { aud }: JWTPayload): void {
  const strictly = server.profile === 'fapi2';
  const here = path === undefined ? [] : addressesOf(server, '').map(address => new URL(address).origin + path);
  const ours = strictly ? [server.issuer] : [server.issuer, ...addressesOf(server, server.paths.token), ...here];
  const values: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (strictly ? aud === server.issuer : values.some(value => ours.some(each => each === value))) return;
  throw refuse('client_assertion_audience_mismatch', 'aud of the client_assertion is not this server', {
    sent: shorten(aud === undefined ? 'none' : JSON.stringify(aud)),
    expected: strictly ? `${server.issuer}, as a string and nothing beside it (FAPI 2.0)` : ours.join(' or '),
  });
}

function checkTime(now: number, { refuse }: AssertionContext, { exp, nbf, iat }: JWTPayload): void {
  if (!isTime(exp) || (nbf !== undefined && !isTime(nbf)) || (iat !== undefined && !isTime(iat))) {
    throw refuse('client_assertion_time_malformed', 'exp of the client_assertion is missing, or a time is no number', {
      expected: 'exp, and nbf and iat if they are there, in seconds since 1970',
    });
  }
  const seconds = (time: number) => `${time}, now is ${now}`;
  if (exp <= now) {
    const description = `the client_assertion expired ${now - exp} s ago`;
    throw refuse('client_assertion_expired', description, { sent: `exp ${seconds(exp)}`, expected: 'a fresh one' });
  }
  if (exp > now + longestLifetime) {
    throw refuse('client_assertion_lives_too_long', 'exp of the client_assertion is too far ahead', {
      sent: `exp ${seconds(exp)}`,
      expected: `at most ${longestLifetime} s from now; in seconds, not milliseconds`,
    });
  }
  const start = Math.max(nbf ?? 0, iat ?? 0);
  if (start <= now + mostAhead) return;
  throw refuse('client_assertion_not_yet_valid', 'the client_assertion is from the future', {
    sent: `${start === nbf ? 'nbf' : 'iat'} ${seconds(start)}`,
    expected: `at most ${mostAhead} s ahead of this server's clock`,
  });
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** RFC 7523 §3, item 7. Last of all checks, so that a refused assertion is not used up. */
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
