import { errors, importJWK, type JWTPayload, jwtVerify } from 'jose';
import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { checkByEitherClock, useJwtOnce } from '../client-time.ts';
import type { Jwk, RegisteredClient } from '../clients/client.ts';
import { ClientKeysError, clientKeys } from '../clients/client-keys.ts';
import { requestObjectAlgs } from '../clients/request-object-algs.ts';
import { invalidRequest, type Reason } from '../errors.ts';
import { describeValue, type RequestParameters, unknownParameters } from '../parameters.ts';
import { objectParameters } from '../requests/request-object-claims.ts';
import { isSignedBy } from '../signed-by.ts';
import { formFault, readUnverified } from '../unverified-jwt.ts';

interface Context {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly emit: Emit;
}

/** Beside a signed request stands only what authenticates the client (OIDC CIBA §7.1.1). */
const outside = new Set(['request', 'client_id', 'client_secret', 'client_assertion', 'client_assertion_type']);

/** Seconds a client's clock may be ahead, and that a request may be good for. */
const mostAhead = 10;
const longestLifetime = 3600;

/**
 * The parameters of a signed backchannel authentication request (OIDC CIBA §7.1.1).
 * @throws invalid_request
 */
export async function readSignedRequest(
  context: Context,
  parameters: RequestParameters,
  jwt: string,
): Promise<RequestParameters> {
  const [beside] = unknownParameters(parameters, outside);
  if (beside !== undefined) {
    const details = { sent: beside, expected: 'every parameter inside the JWT' };
    throw invalidRequest('request_object_nested', `${beside} stands beside a signed request`, details);
  }
  const claims = await verified(context, jwt);
  await checkOnce(context, claims);
  return objectParameters(claims);
}

/** @throws invalid_request where the client is registered for signed requests and sends a plain one */
export function demandSigned({ backchannel_authentication_request_signing_alg: alg }: RegisteredClient): void {
  if (alg === undefined) return;
  throw invalidRequest('request_not_signed', 'this client signs its requests', { sent: 'no request', expected: alg });
}

async function verified(context: Context, jwt: string): Promise<JWTPayload> {
  const { server, client, emit } = context;
  const alg = client.backchannel_authentication_request_signing_alg;
  if (alg === undefined || !requestObjectAlgs(server).includes(alg)) {
    throw invalidRequest('request_object_alg_refused', 'this client is not registered for signed requests', {
      sent: 'request',
      expected: 'backchannel_authentication_request_signing_alg in its registration',
    });
  }
  try {
    const { kid, alg: used } = readUnverified(jwt);
    if (used !== alg) throw new errors.JOSEAlgNotAllowed();
    const keys = await clientKeys(server, client, { use: 'sig', alg, kid }, emit);
    const claims = await signedByOne(context, jwt, keys, alg);
    checkByEitherClock(server, now => checkTime(now, claims));
    return claims;
  } catch (error) {
    throw explained(error, alg);
  }
}

/** Without a `kid` several keys may fit. */
async function signedByOne(
  { server, client }: Context,
  jwt: string,
  keys: readonly Jwk[],
  alg: string,
): Promise<JWTPayload> {
  if (keys.length === 0) throw new ClientKeysError('none of the keys of this client is the one of the signed request');
  for (const jwk of keys) {
    if (!(await isSignedBy(jwt, jwk, alg))) continue;
    const { payload } = await jwtVerify(jwt, await importJWK({ ...jwk }, alg), {
      algorithms: [alg],
      issuer: client.client_id,
      audience: server.issuer,
      requiredClaims: ['exp', 'iat', 'nbf', 'jti'],
      currentDate: new Date(0),
      clockTolerance: Number.MAX_SAFE_INTEGER, // its times are checked below, by two clocks
    });
    return payload;
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function checkTime(now: number, { exp = 0, nbf = 0 }: JWTPayload): void {
  if (nbf > now + mostAhead) {
    throw invalidRequest('request_object_not_yet_valid', 'the signed request is from the future', {
      sent: `nbf ${nbf}, now is ${now}`,
      expected: `at most ${mostAhead} s ahead of the clock of this server`,
    });
  }
  const left = exp - now;
  if (left <= 0) throw invalidRequest('request_object_expired', `the signed request expired ${-left} s ago`);
  if (left <= longestLifetime) return;
  throw invalidRequest('request_object_time_malformed', 'exp of the signed request is too far ahead', {
    sent: `${left} s`,
    expected: `at most ${longestLifetime} s`,
  });
}

const mismatches: Readonly<Record<string, Reason>> = {
  iss: 'request_object_client_mismatch',
  aud: 'request_object_audience_mismatch',
};

function explained(error: unknown, alg: string): unknown {
  if (error instanceof ClientKeysError) {
    const details = { expected: `a key for ${alg}`, met: error.met, cause: error };
    return invalidRequest('request_object_key_unknown', error.description, details);
  }
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    const reason = mismatches[error.claim] ?? 'request_object_time_malformed';
    return invalidRequest(reason, `${error.claim} of the signed request is missing or wrong`, { sent: error.claim });
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    const description = 'the signature of the request is not by the key of this client';
    return invalidRequest('request_object_signature_wrong', description, { expected: `a signature by ${alg}` });
  }
  if (error instanceof errors.JOSEAlgNotAllowed) {
    return invalidRequest('request_object_alg_refused', 'the request is signed with another algorithm', {
      expected: alg,
    });
  }
  if (!(error instanceof errors.JOSEError || error instanceof TypeError)) return error;
  return invalidRequest('request_object_malformed', `request is not a signed JWT${formFault(error)}`, {
    expected: 'a signed JWT',
    cause: error,
  });
}

async function checkOnce({ server, client }: Context, { jti, exp = 0 }: JWTPayload): Promise<void> {
  if (await useJwtOnce(server, 'signed_request', [client.client_id, jti], exp)) return;
  throw invalidRequest('request_object_replayed', 'this signed request was used before', {
    sent: `jti ${describeValue(jti)}`,
    expected: 'a new jti for each request',
  });
}
