import type { JWTPayload } from 'jose';
import { expectedName } from '../../base/text/nearest.ts';
import { addressesOf, type ClientCall, type TrustedIssuer } from '../authorization-server.ts';
import {
  areTimes,
  checkBegun,
  checkByEitherClock,
  checkNotExpired,
  type TimeProblems,
  useJwtOnce,
} from '../client-time.ts';
import {
  checkOwnersSignature,
  type JwtForm,
  readSignedJwt,
  type SignatureProblems,
  sentHeader,
} from '../clients/signed-jwt.ts';
import type { Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import type { UnverifiedJwt } from '../unverified-jwt.ts';
import type { TestUser } from '../users/user.ts';

interface TrustedAssertion {
  readonly user: TestUser;
  readonly issuer: TrustedIssuer;
  readonly claims: JWTPayload & { readonly exp: number };
}

/** The request, and the error code for refusals. */
export interface TrustedAssertionContext extends ClientCall {
  readonly refuse: Refuse;
}

/**
 * Reads a JWT in which a trusted issuer names a user (RFC 7523 §3): signed by that issuer, for this server, within its
 * time, about a known user. The caller checks whether the JWT was used before.
 * @throws the error that `refuse` makes
 */
export async function readTrustedAssertion(context: TrustedAssertionContext, jwt: string): Promise<TrustedAssertion> {
  const { claims, ...header } = readSignedJwt(jwt, form, context.refuse);
  const issuer = trustedIssuer(context, claims.iss);
  await checkSignature(context, issuer, jwt, header);
  checkAudience(context, issuer, claims);
  const exp = endOf(context, claims);
  const ending = { ...claims, exp };
  // RFC 7523 §3, items 4 to 6
  checkByEitherClock(context.server, now => {
    checkNotExpired(now, ending, timeProblems, context.refuse);
    checkBegun(now, ending, timeProblems, context.refuse);
  });
  return { issuer, user: userOf(context, issuer, claims), claims: ending };
}

/**
 * Uses up an assertion with a `jti` (RFC 7523 §3, item 7).
 * @throws the error that `refuse` makes, the second time
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

const form: JwtForm = {
  malformed: {
    reason: 'assertion_malformed',
    description: 'the token is not a signed JWT',
    expected: 'a signed JWT (RFC 7515 §3.1)',
  },
  types: ['jwt', 'at+jwt', 'authorization-grant+jwt'], // the last by draft-ietf-oauth-rfc7523bis
  otherType: {
    reason: 'assertion_malformed',
    description: 'typ of the JWT is not supported',
    expected: 'typ JWT, or no typ',
  },
};

function trustedIssuer({ server, refuse }: TrustedAssertionContext, iss: string | undefined): TrustedIssuer {
  const issuer = iss === undefined ? undefined : server.trustedIssuers.get(iss);
  if (issuer !== undefined) return issuer;
  const names = [...server.trustedIssuers.keys()];
  const trusted =
    names.length === 0 ? 'an issuer in trustedIssuers, but that list is empty' : expectedName(iss ?? '', names);
  throw refuse('assertion_issuer_untrusted', 'iss of the JWT is not a trusted issuer', {
    sent: shorten(iss ?? 'no iss'),
    expected: trusted,
  });
}

async function checkSignature(
  { server, client: { client_id }, emit, refuse }: TrustedAssertionContext,
  { issuer, algorithms, jwks, jwks_uri }: TrustedIssuer,
  jwt: string,
  header: Pick<UnverifiedJwt, 'alg' | 'kid'>,
): Promise<void> {
  const allowed = algorithms.length > 0 ? algorithms : asymmetricAlgs(server);
  if (!allowed.includes(header.alg)) {
    const details = { sent: sentHeader(header), expected: allowed.join(', ') };
    throw refuse('assertion_signature_wrong', 'alg of the JWT is not allowed for its issuer', details);
  }
  const owner = { client_id, jwks, jwks_uri };
  await checkOwnersSignature({ server, owner, emit }, jwt, header, problemsOf(issuer), refuse);
}

function problemsOf(issuer: string): SignatureProblems {
  const reason = 'assertion_signature_wrong';
  return {
    keyUnknown: {
      reason,
      description: 'the issuer of the JWT has no key for it',
      expected: 'a key with this alg and kid',
    },
    signatureWrong: {
      reason,
      description: 'the signature of the JWT does not match a key of its issuer',
      expected: 'a signature with the private key of the issuer',
    },
    keysUnavailable: {
      reason,
      description: `the keys of ${issuer} cannot be read`,
      expected: 'a JWK Set of public keys',
    },
  };
}

/** RFC 7523 §3, item 3. */
function checkAudience(
  { server, refuse }: TrustedAssertionContext,
  { audience }: TrustedIssuer,
  { aud }: JWTPayload,
): void {
  const ours = [server.iss, ...addressesOf(server, server.paths.token), ...audience];
  const values = Array.isArray(aud) ? aud : [aud];
  if (values.some(value => value !== undefined && ours.includes(value))) return;
  throw refuse('assertion_audience_mismatch', 'aud of the JWT is not this server', {
    sent: shorten(aud === undefined ? 'none' : JSON.stringify(aud)),
    expected: ours.join(' or '),
  });
}

/** RFC 7523 §3, item 4; whole seconds. */
function endOf({ refuse }: TrustedAssertionContext, { exp, nbf, iat }: JWTPayload): number {
  if (exp !== undefined && areTimes(exp, nbf ?? 0, iat ?? 0)) return Math.floor(exp);
  throw refuse('assertion_time_malformed', 'exp of the JWT is missing, or a time is not a number', {
    expected: 'exp, and nbf and iat if present, in seconds since 1970',
  });
}

const timeProblems: TimeProblems = { name: 'the JWT', kind: 'assertion' };

/** RFC 7523 §3, item 2. A mapped subject is the user it maps to; any other subject is the user with the same `sub`. */
function userOf(
  { server, refuse }: TrustedAssertionContext,
  { subjectClaim, users, createUsers }: TrustedIssuer,
  claims: JWTPayload,
): TestUser {
  const subject = claims[subjectClaim];
  if (typeof subject !== 'string' || subject === '') {
    throw refuse('assertion_subject_missing', `the JWT has no subject in the claim ${subjectClaim}`, {
      sent: typeof subject,
      expected: `${subjectClaim}, as text`,
    });
  }
  const sub = Object.hasOwn(users, subject) ? (users[subject] ?? subject) : subject;
  const user = server.users.get(sub) ?? (createUsers ? server.users.create(sub) : undefined);
  if (user !== undefined) return user;
  throw refuse('assertion_subject_unknown', `the ${subjectClaim} of the JWT does not name a user of this server`, {
    sent: shorten(subject),
    expected: createUsers ? 'a valid sub' : 'the sub of a user, or a subject that trustedIssuers maps to a user',
  });
}
