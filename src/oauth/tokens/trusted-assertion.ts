import { errors, type JWTPayload } from 'jose';
import { defined } from '../../defined.ts';
import type { Emit } from '../../events/event.ts';
import { expectedName } from '../../text/nearest.ts';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import { checkByEitherClock, useJwtOnce } from '../client-time.ts';
import { assertionAlgs } from '../clients/assertion-algs.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { ClientKeysError, clientKeys } from '../clients/client-keys.ts';
import type { ErrorDetails, OAuthError, Reason } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { isSignedBy } from '../signed-by.ts';
import type { TrustedIssuer } from '../trusted-issuer.ts';
import { formFault, readUnverified, type UnverifiedJwt } from '../unverified-jwt.ts';
import type { TestUser } from '../users/user.ts';

/** What a JWT of a trusted issuer says. */
export interface TrustedAssertion {
  readonly user: TestUser;
  readonly issuer: TrustedIssuer;
  readonly claims: JWTPayload & { readonly exp: number };
}

/** Where it is asked for: the request, and the code that refusals have there. */
export interface TrustedAssertionContext {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly emit: Emit;
  readonly refuse: (reason: Reason, description: string, details?: ErrorDetails) => OAuthError;
}

/** Seconds the clock of an issuer may be ahead. */
const mostAhead = 10;

/**
 * Reads a JWT by which a trusted issuer says who a user is (RFC 7523 §3): signed by it, for this server, in its time, about
 * somebody we know. Whether it may come again is for the caller.
 * @throws what `refuse` makes
 */
export async function readTrustedAssertion(context: TrustedAssertionContext, jwt: string): Promise<TrustedAssertion> {
  const { alg, kid, claims } = decode(context, jwt);
  const issuer = trustedIssuer(context, claims.iss);
  await checkSignature(context, issuer, { jwt, alg, kid });
  checkAudience(context, issuer, claims);
  const exp = endOf(context, claims);
  checkByEitherClock(context.server, now => checkTime(now, context, { ...claims, exp }));
  return { issuer, user: userOf(context, issuer, claims), claims: { ...claims, exp } };
}

/**
 * Uses an assertion up, if it has a `jti` (RFC 7523 §3, item 7).
 * @throws what `refuse` makes, the second time
 */
export async function useOnce(
  { server, refuse }: TrustedAssertionContext,
  { issuer, claims }: TrustedAssertion,
): Promise<void> {
  const { jti, exp } = claims;
  if (jti === undefined) return;
  if (await useJwtOnce(server, 'trusted_assertion', [issuer.issuer, jti], exp)) return;
  throw refuse('assertion_jti_replayed', 'this JWT was used before', {
    sent: `jti ${describeValue(jti)}`,
    expected: 'a new JWT for each request',
  });
}

/** What says who somebody is (RFC 8725 §3.11; the last by draft-ietf-oauth-rfc7523bis): no logout, no proof, no event. */
const types = ['jwt', 'at+jwt', 'authorization-grant+jwt'];

function decode({ refuse }: TrustedAssertionContext, jwt: string): UnverifiedJwt {
  try {
    const read = readUnverified(jwt);
    const { typ } = read;
    if (typ !== undefined && !types.includes(typ.toLowerCase().replace(/^application\//, ''))) {
      const details = { sent: shorten(typ), expected: 'typ JWT, or none' };
      throw refuse('assertion_malformed', 'the JWT is of a type that says something else', details);
    }
    return read;
  } catch (error) {
    if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error;
    const expected = 'a signed JWT (RFC 7515 §3.1)';
    throw refuse('assertion_malformed', `this is not a signed JWT${formFault(error)}`, {
      sent: shorten(jwt, 20),
      expected,
      cause: error,
    });
  }
}

function trustedIssuer({ server, refuse }: TrustedAssertionContext, iss: string | undefined): TrustedIssuer {
  const issuer = iss === undefined ? undefined : server.trustedIssuers.get(iss);
  if (issuer !== undefined) return issuer;
  const names = [...server.trustedIssuers.keys()];
  const trusted =
    names.length === 0 ? 'an issuer among trustedIssuers, which is empty' : expectedName(iss ?? '', names);
  throw refuse('assertion_issuer_untrusted', 'the iss of the JWT is no trusted issuer', {
    sent: shorten(iss ?? 'no iss'),
    expected: trusted,
  });
}

async function checkSignature(
  context: TrustedAssertionContext,
  issuer: TrustedIssuer,
  { jwt, alg, kid }: Pick<UnverifiedJwt, 'alg' | 'kid'> & { readonly jwt: string },
): Promise<void> {
  const every = assertionAlgs(context.server, ['private_key_jwt']);
  const allowed = issuer.algorithms.length > 0 ? issuer.algorithms : every;
  const sent = `alg ${shorten(alg)}, kid ${kid === undefined ? 'none' : shorten(kid)}`;
  const wrong = (description: string, expected: string) =>
    context.refuse('assertion_signature_wrong', description, { sent, expected });
  if (!allowed.some(each => each === alg))
    throw wrong('the JWT has an alg its issuer is not trusted with', allowed.join(', '));
  const keys = await keysOf(context, issuer, alg, kid);
  if (keys.length === 0) throw wrong('the issuer of the JWT has no such key', 'a key that fits both');
  for (const key of keys) {
    if (await isSignedBy(jwt, key, alg)) return;
  }
  throw wrong('the signature of the JWT is not by its issuer', 'a signature with the private key of the issuer');
}

async function keysOf(
  { server, client, emit, refuse }: TrustedAssertionContext,
  { issuer, jwks, jwks_uri }: TrustedIssuer,
  alg: string,
  kid: string | undefined,
) {
  const { client_id } = client;
  const owner = { client_id, ...defined({ jwks, jwks_uri }) };
  try {
    return await clientKeys(server, owner, { use: 'sig', alg, kid }, emit);
  } catch (error) {
    if (!(error instanceof ClientKeysError)) throw error;
    const details = { expected: 'a JWK Set of public keys', met: error.met, cause: error };
    throw refuse('assertion_signature_wrong', `the keys of ${issuer} cannot be read`, details);
  }
}

/** RFC 7523 §3, item 3. */
function checkAudience(
  { server, refuse }: TrustedAssertionContext,
  { audience }: TrustedIssuer,
  { aud }: JWTPayload,
): void {
  const ours = [server.issuer, ...addressesOf(server, server.paths.token), ...audience];
  const values = Array.isArray(aud) ? aud : [aud];
  if (values.some(value => value !== undefined && ours.includes(value))) return;
  throw refuse('assertion_audience_mismatch', 'aud of the JWT is not this server', {
    sent: shorten(aud === undefined ? 'none' : JSON.stringify(aud)),
    expected: ours.join(' or '),
  });
}

/** RFC 7523 §3, item 4; whole seconds. */
function endOf({ refuse }: TrustedAssertionContext, { exp, nbf, iat }: JWTPayload): number {
  const isTime = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
  if (exp !== undefined && [exp, nbf ?? 0, iat ?? 0].every(isTime)) return Math.floor(exp);
  throw refuse('assertion_time_malformed', 'exp of the JWT is missing, or a time is no number', {
    expected: 'exp, and nbf and iat if they are there, in seconds since 1970',
  });
}

/** RFC 7523 §3, items 4 to 6. */
function checkTime(
  now: number,
  { refuse }: TrustedAssertionContext,
  { exp, nbf, iat }: TrustedAssertion['claims'],
): void {
  if (exp <= now) {
    const details = { sent: `exp ${exp}, now is ${now}`, expected: 'a fresh JWT' };
    throw refuse('assertion_expired', `the JWT expired ${now - exp} s ago`, details);
  }
  const start = Math.max(nbf ?? 0, iat ?? 0);
  if (start <= now + mostAhead) return;
  throw refuse('assertion_not_yet_valid', 'the JWT is from the future', {
    sent: `${start === nbf ? 'nbf' : 'iat'} ${start}, now is ${now}`,
    expected: `at most ${mostAhead} s ahead of the clock of this server`,
  });
}

/** RFC 7523 §3, item 2. A subject that is mapped is that user; one that is not is the user of the same `sub`. */
function userOf(
  { server, refuse }: TrustedAssertionContext,
  { subjectClaim, users, createUsers }: TrustedIssuer,
  claims: JWTPayload,
): TestUser {
  const subject = claims[subjectClaim];
  if (typeof subject !== 'string' || subject === '') {
    throw refuse('assertion_subject_missing', `the JWT does not say who it is about in ${subjectClaim}`, {
      sent: typeof subject,
      expected: `${subjectClaim}, as text`,
    });
  }
  const sub = Object.hasOwn(users, subject) ? (users[subject] ?? subject) : subject;
  const user = server.users.get(sub) ?? (createUsers ? server.users.create(sub) : undefined);
  if (user !== undefined) return user;
  throw refuse('assertion_subject_unknown', `the ${subjectClaim} of the JWT is no user of this server`, {
    sent: shorten(subject),
    expected: createUsers ? 'something that can be a sub' : 'the sub of a user, or a subject that is mapped to one',
  });
}
