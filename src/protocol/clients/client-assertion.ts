import type { JWTPayload } from 'jose';
import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidClient, type Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import type { UnverifiedJwt } from '../unverified-jwt.ts';
import { checkAssertionClaims } from './assertion-claims.ts';
import { type AssertionMethod, assertionAlgs, assertionMethods } from './auth-methods.ts';
import type { RegisteredClient } from './client.ts';
import { findClient } from './find-client.ts';
import {
  checkOwnersSignature,
  checkSignature,
  clientJwtFaults,
  type JwtForm,
  readSignedJwt,
  type SignatureFaults,
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
  readonly path?: string | undefined;
  readonly emit?: Emit | undefined;
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

/** The method of a JWT that is signed with the secret or with a key of the client. */
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

const byPrivateKey = clientJwtFaults('the client_assertion', 'client_assertion', 'client_keys_unavailable');

const bySecret: SignatureFaults = {
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
