import { compactVerify, errors, importJWK, type JWTPayload } from 'jose';
import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type ErrorDetails, invalidClient, type Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { formFault, readUnverified } from '../unverified-jwt.ts';
import { type AssertionMethod, assertionAlgs, assertionMethods } from './assertion-algs.ts';
import { checkAssertionClaims } from './assertion-claims.ts';
import type { RegisteredClient } from './client.ts';
import { ClientKeysError, clientKeys } from './client-keys.ts';
import { findClient } from './find-client.ts';

/** The only form there is (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** What a request with a `client_assertion` says of its client. */
export interface AssertedIdentity {
  readonly assertion: string;
  readonly type: string | undefined;
  /** The parameter beside it, which may be left out (RFC 7521 §4.2). */
  readonly client_id: string | undefined;
  /** Of the endpoint that is asked. */
  readonly path?: string | undefined;
  readonly emit?: Emit | undefined;
}

interface DecodedAssertion {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly payload: JWTPayload;
}

/**
 * The client that a JWT proves (RFC 7523 §2.2, §3; OIDC Core §9).
 * @throws invalid_client
 */
export async function authenticateByAssertion(
  server: AuthorizationServer,
  asserted: AssertedIdentity,
): Promise<{ client: RegisteredClient; method: AssertionMethod }> {
  if (asserted.type !== assertionType) {
    throw invalidClient('client_assertion_type_unsupported', 'client_assertion_type is not the one for a JWT', {
      sent: shorten(asserted.type ?? 'none'),
      expected: assertionType,
    });
  }
  const decoded = decode(asserted.assertion);
  const client = await namedClient(server, decoded.payload, asserted);
  const refuse: Refuse = (reason, description, details) =>
    invalidClient(reason, description, { ...details, client_id: client.client_id });
  const method = checkedMethod(server, client, decoded.alg, refuse);
  await verify({ server, client, refuse, emit: asserted.emit }, asserted.assertion, decoded);
  await checkAssertionClaims({ server, client, path: asserted.path, refuse }, decoded.payload);
  return { client, method };
}

/** Types that are no statement about something else (RFC 8725 §3.11; the last by draft-ietf-oauth-rfc7523bis). */
const types = ['jwt', 'client-authentication+jwt'];

function decode(assertion: string): DecodedAssertion {
  const refuse = (description: string, details?: ErrorDetails) =>
    invalidClient('client_assertion_malformed', description, { expected: 'a signed JWT (RFC 7515 §3.1)', ...details });
  try {
    const { alg, kid, typ, claims } = readUnverified(assertion);
    if (typ !== undefined && !types.includes(typ.toLowerCase().replace(/^application\//, ''))) {
      throw refuse('client_assertion is a JWT of another type', { sent: shorten(typ), expected: 'typ JWT, or none' });
    }
    return { alg, kid, payload: claims };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw refuse(`client_assertion is not a signed JWT${formFault(error)}`, {
        sent: shorten(assertion, 20),
        cause: error,
      });
    }
    throw error;
  }
}

async function namedClient(
  server: AuthorizationServer,
  { iss, sub }: JWTPayload,
  { client_id, emit }: AssertedIdentity,
): Promise<RegisteredClient> {
  if (typeof sub !== 'string' || iss !== sub) {
    throw invalidClient(
      'client_assertion_issuer_mismatch',
      'iss and sub of the client_assertion must be the client_id',
      {
        sent: `iss ${describeValue(iss ?? 'missing')}, sub ${describeValue(sub ?? 'missing')}`,
        expected: 'the client_id in both',
      },
    );
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

/** The algorithm says which method it is: a public key is never the secret of an HMAC (RFC 8725 §2.1). */
function checkedMethod(
  server: AuthorizationServer,
  client: RegisteredClient,
  alg: string,
  refuse: Refuse,
): AssertionMethod {
  const method = assertionMethods.find(each => assertionAlgs(server, [each]).includes(alg));
  const { token_endpoint_auth_methods: registered, token_endpoint_auth_signing_alg: only } = client;
  const allowed = only === undefined ? assertionAlgs(server, registered) : [only];
  if (method !== undefined && !registered.includes(method)) {
    throw refuse('authentication_method_not_registered', `this client is not registered for ${method}`, {
      sent: `${method} by ${alg}`,
      expected: registered.join(' or '),
    });
  }
  if (method === undefined || !allowed.includes(alg)) {
    throw refuse(
      'client_assertion_alg_refused',
      'the client_assertion is not signed with an algorithm of this client',
      {
        sent: shorten(alg),
        expected: allowed.join(', '),
      },
    );
  }
  return method;
}

interface Verification {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly refuse: Refuse;
  readonly emit: Emit | undefined;
}

async function verify(
  verification: Verification,
  assertion: string,
  { alg, kid }: Pick<DecodedAssertion, 'alg' | 'kid'>,
): Promise<void> {
  const { refuse } = verification;
  const keys = alg.startsWith('HS') ? [secretKey(verification)] : await publicKeys(verification, alg, kid);
  if (keys.length === 0) {
    throw refuse('client_assertion_key_unknown', 'none of the keys of this client is the one of the client_assertion', {
      sent: `alg ${alg}, kid ${kid === undefined ? 'none' : shorten(kid)}`,
      expected: 'a key in the jwks or at the jwks_uri of the client that fits both',
    });
  }
  for (const key of keys) if (await isSignedBy(assertion, key, alg)) return;
  throw refuse(
    'client_assertion_signature_wrong',
    'the signature of the client_assertion is not by the key of this client',
    {
      sent: `alg ${alg}, kid ${kid === undefined ? 'none' : shorten(kid)}`,
      expected: alg.startsWith('HS') ? 'a signature with the client_secret' : 'a signature with the private key',
    },
  );
}

/** Loads a key, which may turn out to be none. */
type LoadKey = () => Promise<Awaited<ReturnType<typeof importJWK>>>;

/** Configuration gives every client of this method a secret. */
function secretKey({ client }: Verification): LoadKey {
  return async () => new TextEncoder().encode(client.client_secret ?? '');
}

async function publicKeys(
  { server, client, refuse, emit }: Verification,
  alg: string,
  kid: string | undefined,
): Promise<readonly LoadKey[]> {
  try {
    const keys = await clientKeys(server, client, { use: 'sig', alg, kid }, emit);
    return keys.map(jwk => () => importJWK({ ...jwk }, alg));
  } catch (error) {
    if (!(error instanceof ClientKeysError)) throw error;
    throw refuse('client_keys_unavailable', error.description, {
      ...{ expected: 'a JWK Set of public keys', met: error.met },
      cause: error,
    });
  }
}

/** False too where the key cannot be used: it is the client's, and may be anything. */
async function isSignedBy(assertion: string, loadKey: LoadKey, alg: string): Promise<boolean> {
  try {
    await compactVerify(assertion, await loadKey(), { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
