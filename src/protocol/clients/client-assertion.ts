import type { JWTPayload } from 'jose';
import type { Emit } from '../../base/events/event.ts';
import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import {
  areTimes,
  checkBegun,
  checkByEitherClock,
  checkNotExpired,
  type TimeProblems,
  useJwtOnce,
} from '../client-time.ts';
import { invalidClient, type Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { type AssertionMethod, assertionAlgs, assertionMethods } from '../profile.ts';
import type { UnverifiedJwt } from '../unverified-jwt.ts';
import type { RegisteredClient } from './client.ts';
import { findClient } from './find-client.ts';
import {
  checkOwnersSignature,
  checkSignature,
  clientJwtProblems,
  type JwtForm,
  readSignedJwt,
  type SignatureProblems,
} from './signed-jwt.ts';

/** The only assertion type for a JWT (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** The client identity that a request with a `client_assertion` claims. */
export interface AssertedIdentity {
  readonly assertion: string;
  readonly type: string | undefined;
  /** The `client_id` parameter of the request; optional (RFC 7521 §4.2). */
  readonly client_id: string | undefined;
  /** Path of the endpoint that received the request. */
  readonly path?: string;
  readonly emit?: Emit;
}

/**
 * The client that a JWT proves (RFC 7523 §2.2, §3; OIDC Core §9). A client of `CLIENTS=any` has no key that could prove it.
 * @throws invalid_client
 */
export async function authenticateByAssertion(
  server: AuthorizationServer,
  asserted: AssertedIdentity,
): Promise<{ client: RegisteredClient; method: AssertionMethod }> {
  if (asserted.type !== assertionType) {
    throw invalidClient('client_assertion_type_unsupported', 'client_assertion_type is not the type for a JWT', {
      sent: shorten(asserted.type ?? 'none'),
      expected: assertionType,
    });
  }
  const { claims, ...header } = readSignedJwt(asserted.assertion, form, invalidClient);
  const client = await namedClient(server, claims, asserted);
  const refuse: Refuse = (reason, description, details) =>
    invalidClient(reason, description, { ...details, client_id: client.client_id });
  const method =
    client.origin === 'any'
      ? (methodOf(server, header.alg) ?? 'private_key_jwt')
      : await provenMethod(server, client, asserted, header, refuse);
  await checkAssertionClaims({ server, client, path: asserted.path, refuse }, claims);
  return { client, method };
}

async function provenMethod(
  server: AuthorizationServer,
  client: RegisteredClient,
  { assertion, emit }: AssertedIdentity,
  header: Pick<UnverifiedJwt, 'alg' | 'kid'>,
  refuse: Refuse,
): Promise<AssertionMethod> {
  const method = checkedMethod(server, client, header.alg, refuse);
  if (method === 'client_secret_jwt') {
    // the secret as a key (RFC 7518 §6.4); configuration gives every client of this method a secret
    const key = { kty: 'oct', k: Buffer.from(client.client_secret ?? '').toString('base64url') };
    await checkSignature(assertion, header, [key], bySecret, refuse);
  } else {
    await checkOwnersSignature({ server, owner: client, emit }, assertion, header, byPrivateKey, refuse);
  }
  return method;
}

const form: JwtForm = {
  malformed: {
    reason: 'client_assertion_malformed',
    description: 'client_assertion is not a signed JWT',
    expected: 'a signed JWT (RFC 7515 §3.1)',
  },
  types: ['jwt', 'client-authentication+jwt'], // the last by draft-ietf-oauth-rfc7523bis
  otherType: {
    reason: 'client_assertion_malformed',
    description: 'typ of client_assertion is not supported',
    expected: 'typ JWT, or no typ',
  },
};

const byPrivateKey = clientJwtProblems('the client_assertion', 'client_assertion', 'client_keys_unavailable');

const bySecret: SignatureProblems = {
  ...byPrivateKey,
  signatureWrong: { ...byPrivateKey.signatureWrong, expected: 'a signature with the client_secret' },
};

async function namedClient(
  server: AuthorizationServer,
  { iss, sub }: JWTPayload,
  { client_id, emit }: AssertedIdentity,
): Promise<RegisteredClient> {
  if (typeof sub !== 'string' || iss !== sub) {
    const description = 'iss and sub of the client_assertion must be the client_id';
    throw invalidClient('client_assertion_issuer_mismatch', description, {
      sent: `iss ${describeValue(iss ?? 'missing')}, sub ${describeValue(sub ?? 'missing')}`,
      expected: 'the client_id in both',
    });
  }
  if (client_id !== undefined && client_id !== sub) {
    throw invalidClient('client_assertion_client_mismatch', 'client_id is not the client of the client_assertion', {
      sent: shorten(client_id),
      expected: shorten(sub),
    });
  }
  const client = await findClient(server, sub, emit);
  if (client !== undefined) return client;
  throw invalidClient('client_unknown', 'no client is registered with the sub of the client_assertion', {
    sent: shorten(sub),
    expected: 'a registered client_id',
  });
}

/** Derives the method from the algorithm, so that a public key is never used as the secret of an HMAC (RFC 8725 §2.1). */
function methodOf(server: AuthorizationServer, alg: string): AssertionMethod | undefined {
  return assertionMethods.find(each => assertionAlgs(server, [each]).includes(alg));
}

function checkedMethod(
  server: AuthorizationServer,
  client: RegisteredClient,
  alg: string,
  refuse: Refuse,
): AssertionMethod {
  const method = methodOf(server, alg);
  const { token_endpoint_auth_methods: registered, token_endpoint_auth_signing_alg: only } = client;
  const allowed = only === undefined ? assertionAlgs(server, registered) : [only];
  if (method !== undefined && !registered.includes(method)) {
    throw refuse('authentication_method_not_registered', `this client is not registered for ${method}`, {
      sent: `${method} by ${alg}`,
      expected: registered.join(' or '),
    });
  }
  if (method === undefined || !allowed.includes(alg)) {
    const description = 'the client_assertion is not signed with an algorithm of this client';
    throw refuse('client_assertion_alg_refused', description, { sent: shorten(alg), expected: allowed.join(', ') });
  }
  return method;
}

/** Longest lifetime of an assertion in seconds; its `jti` is remembered as long. */
const longestLifetime = 3600;

interface AssertionContext {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly path: string | undefined;
  readonly refuse: Refuse;
}

/**
 * Checks the claims of a client assertion whose signature is valid (RFC 7523 §3): it is for this server, in its time, and
 * used once.
 * @throws invalid_client
 */
async function checkAssertionClaims(context: AssertionContext, claims: JWTPayload): Promise<void> {
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

const timeProblems: TimeProblems = { name: 'the client_assertion', kind: 'client_assertion' };

function checkTime(now: number, { refuse }: AssertionContext, claims: JWTPayload): void {
  const { exp, nbf, iat } = claims;
  if (exp === undefined || !areTimes(exp, nbf, iat)) {
    const description = 'exp of the client_assertion is missing, or a time is not a number';
    throw refuse('client_assertion_time_malformed', description, {
      expected: 'exp, and nbf and iat if present, in seconds since 1970',
    });
  }
  checkNotExpired(now, claims, timeProblems, refuse);
  if (exp > now + longestLifetime) {
    throw refuse('client_assertion_lives_too_long', 'exp of the client_assertion is too far ahead', {
      sent: `exp ${exp}, now is ${now}`,
      expected: `at most ${longestLifetime} s from now; in seconds, not milliseconds`,
    });
  }
  checkBegun(now, claims, timeProblems, refuse);
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
