import type { JWTPayload } from 'jose';
import type { ClientCall } from '../authorization-server.ts';
import {
  areTimes,
  checkBegun,
  checkByEitherClock,
  checkNotExpired,
  type TimeProblems,
  useJwtOnce,
} from '../client-time.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { checkOwnersSignature, type JwtForm, readSignedJwt, type SignatureProblems } from '../clients/signed-jwt.ts';
import { invalidRequest, type Reason } from '../errors.ts';
import { clientParameters, describeValue, type RequestParameters, shorten, unknownParameters } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import { objectParameters } from '../requests/request-object.ts';

/** The parameters allowed outside a signed request: those that authenticate the client (OIDC CIBA §7.1.1). */
const outside = new Set(['request', ...clientParameters]);

/** Longest lifetime of a request in seconds. */
const longestLifetime = 3600;

/**
 * The parameters of a signed backchannel authentication request (OIDC CIBA §7.1.1).
 * @throws invalid_request
 */
export async function readSignedRequest(
  context: ClientCall,
  parameters: RequestParameters,
  jwt: string,
): Promise<RequestParameters> {
  const [beside] = unknownParameters(parameters, outside);
  if (beside !== undefined) {
    const details = { sent: beside, expected: 'every parameter inside the JWT' };
    throw invalidRequest(
      'request_object_nested',
      `${beside} must be inside the signed request, not next to it`,
      details,
    );
  }
  const claims = await verified(context, jwt);
  await checkOnce(context, claims);
  return objectParameters(claims);
}

/** @throws invalid_request if the client is registered for signed requests and sends a plain one */
export function demandSigned({ backchannel_authentication_request_signing_alg: alg }: RegisteredClient): void {
  if (alg === undefined) return;
  throw invalidRequest('request_not_signed', 'this client must sign its requests', {
    sent: 'no request',
    expected: alg,
  });
}

async function verified(context: ClientCall, jwt: string): Promise<JWTPayload> {
  const { server, client, emit } = context;
  const alg = client.backchannel_authentication_request_signing_alg;
  if (alg === undefined || !asymmetricAlgs(server).includes(alg)) {
    throw invalidRequest('request_object_alg_refused', 'this client is not registered for signed requests', {
      sent: 'request',
      expected: 'backchannel_authentication_request_signing_alg in its registration',
    });
  }
  const { claims, ...header } = readSignedJwt(jwt, form, invalidRequest);
  if (header.alg !== alg) {
    const details = { sent: shorten(header.alg), expected: alg };
    throw invalidRequest(
      'request_object_alg_refused',
      'the request is signed with an algorithm this client has not registered',
      details,
    );
  }
  await checkOwnersSignature({ server, owner: client, emit }, jwt, header, problemsOf(alg), invalidRequest);
  checkClaims(context, claims);
  checkByEitherClock(server, now => checkTime(now, claims));
  return claims;
}

const form: JwtForm = {
  malformed: {
    reason: 'request_object_malformed',
    description: 'request is not a signed JWT',
    expected: 'a signed JWT',
  },
};

function problemsOf(alg: string): SignatureProblems {
  return {
    keyUnknown: {
      reason: 'request_object_key_unknown',
      description: 'no key of this client matches the signed request',
      expected: `a key for ${alg}`,
    },
    signatureWrong: {
      reason: 'request_object_signature_wrong',
      description: 'the signature of the request does not match the key of this client',
      expected: `a signature by ${alg}`,
    },
    keysUnavailable: { reason: 'request_object_key_unknown', expected: `a key for ${alg}` },
  };
}

/** Claims that OIDC CIBA §7.1.1 requires. */
const needed = ['iss', 'aud', 'jti', 'nbf', 'iat', 'exp'];

const mismatches: Readonly<Record<string, Reason>> = {
  iss: 'request_object_client_mismatch',
  aud: 'request_object_audience_mismatch',
};

function checkClaims({ server, client }: ClientCall, claims: JWTPayload): void {
  const isRight: Readonly<Record<string, boolean>> = {
    iss: claims.iss === client.client_id,
    aud: [claims.aud].flat().includes(server.iss),
    iat: areTimes(claims.iat),
    nbf: areTimes(claims.nbf),
    exp: areTimes(claims.exp),
  };
  const wrong =
    needed.find(name => claims[name] === undefined) ?? Object.keys(isRight).find(name => isRight[name] === false);
  if (wrong === undefined) return;
  const reason = mismatches[wrong] ?? 'request_object_time_malformed';
  throw invalidRequest(reason, `${wrong} of the signed request is missing or wrong`, { sent: wrong });
}

const timeProblems: TimeProblems = { name: 'the signed request', kind: 'request_object' };

/** `iat` is not compared with the clock, because `nbf` says when the request becomes valid. */
function checkTime(now: number, { exp = 0, nbf = 0 }: JWTPayload): void {
  checkBegun(now, { nbf }, timeProblems, invalidRequest);
  checkNotExpired(now, { exp }, timeProblems, invalidRequest);
  const left = exp - now;
  if (left <= longestLifetime) return;
  throw invalidRequest('request_object_time_malformed', 'exp of the signed request is too far ahead', {
    sent: `${left} s`,
    expected: `at most ${longestLifetime} s`,
  });
}

async function checkOnce({ server, client }: ClientCall, { jti, exp = 0 }: JWTPayload): Promise<void> {
  if (await useJwtOnce(server, 'signed_request', [client.client_id, jti], exp)) return;
  throw invalidRequest('request_object_replayed', 'this signed request was used before', {
    sent: `jti ${describeValue(jti)}`,
    expected: 'a new jti for each request',
  });
}
