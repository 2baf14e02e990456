import { hash } from 'node:crypto';
import { type CompactJWEHeaderParameters, compactDecrypt, type JWTPayload } from 'jose';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import { areTimes, checkBegun, checkByEitherClock, checkNotExpired, type TimeProblems } from '../client-time.ts';
import { allowsRequestUri, encryptionAlgs, encryptionEncs, type RegisteredClient } from '../clients/client.ts';
import { fetchInTurn, getDocument, outboundFor } from '../clients/document-fetches.ts';
import { checkOwnersSignature, clientJwtProblems, type JwtForm, readSignedJwt } from '../clients/signed-jwt.ts';
import { invalidRequest, OAuthError, type Refuse } from '../errors.ts';
import { decryptionKeys } from '../key-pair.ts';
import { controlCharacters, type RequestParameters, shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';

const refuse: Refuse = (reason, description, details) =>
  new OAuthError('invalid_request_object', reason, description, details);

/**
 * The parameters of a request object with a valid signature and valid claims (RFC 9101 §6).
 * @throws invalid_request_object; request_not_supported or request_uri_not_supported for an unsigned one
 */
export async function readRequestObject(context: ObjectContext, sent: string): Promise<RequestParameters> {
  const { server, client, emit } = context;
  const jwt = await decrypted(server, sent);
  const { claims, ...header } = readSignedJwt(jwt, form, refuse);
  checkAlg(context, header.alg);
  await checkOwnersSignature({ server, owner: client, emit }, jwt, header, problems, refuse);
  checkObjectClaims(context, claims, refuse);
  return objectParameters(claims);
}

const expectedForm = 'a signed JWT (RFC 9101 §4)';

const form: JwtForm = {
  malformed: {
    reason: 'request_object_malformed',
    description: 'the request object is not a signed JWT',
    expected: expectedForm,
  },
  types: ['jwt', 'oauth-authz-req+jwt'], // RFC 9101 §10.8
  otherType: {
    reason: 'request_object_malformed',
    description: 'typ of the request object is not supported',
    expected: 'typ oauth-authz-req+jwt, JWT, or no typ',
  },
};

const problems = clientJwtProblems('the request object', 'request_object', 'request_object_key_unknown');

/** A JWE has five parts (RFC 7516 §3.1). */
async function decrypted(server: AuthorizationServer, jwt: string): Promise<string> {
  if (jwt.split('.').length !== 5) return jwt;
  if (server.dropIns?.requestEncryption) return decryptObject(server, jwt, refuse);
  const description = 'encrypted request objects are not supported';
  throw refuse('request_object_malformed', description, { expected: expectedForm });
}

function checkAlg({ server, client, sentAs }: ObjectContext, alg: string): void {
  const { request_object_signing_alg: registered } = client;
  const offered = asymmetricAlgs(server);
  const allowed = registered === undefined ? offered : offered.filter(each => each === registered);
  if (allowed.includes(alg)) return;
  const details = { sent: shorten(alg), expected: allowed.join(', ') || 'no algorithm' };
  if (alg !== 'none') {
    const description = 'the request object is not signed with an algorithm of this client';
    throw refuse('request_object_alg_refused', description, details);
  }
  const description = 'the request object is not signed, but this server requires a signature';
  if (sentAs === 'pushed' || registered !== undefined || !mayAskPlainly(server, client)) {
    throw refuse('request_object_unsigned', description, details);
  }
  // the only codes that the OpenID Foundation's suite accepts from an OP without unsigned objects (OIDC Core §3.1.2.6)
  const code = sentAs === 'value' ? 'request_not_supported' : 'request_uri_not_supported';
  throw new OAuthError(code, 'request_object_unsigned', description, details);
}

/** Largest object in bytes; no real request is longer. */
const largestObject = 64 * 1024;

/**
 * Fetches a request object by reference (RFC 9101 §5.2, OIDC Core §6.2), only from addresses that the client registered.
 * @throws invalid_request_uri; temporarily_unavailable if it was fetched too often
 */
export async function fetchRequestObject(
  server: AuthorizationServer,
  client: RegisteredClient,
  uri: string,
): Promise<string> {
  const { client_id, request_uris = [] } = client;
  const [address = '', digest] = uri.split('#', 2);
  const refuseUri: Refuse = (reason, description, details) =>
    new OAuthError('invalid_request_uri', reason, description, { sent: shorten(uri), ...details });
  if (!allowsRequestUri(client, uri)) {
    const expected = request_uris.join('\n') || 'a registered value, but none is registered';
    throw refuseUri('request_uri_not_registered', 'request_uri is not registered for this client', { expected });
  }
  const unreadable = (met: string, cause?: unknown) =>
    refuseUri('request_uri_unreadable', 'the request_uri cannot be read', { expected: 'a request object', met, cause });
  const document = { name: `request object ${address} of ${client_id}`, url: address, client_id };
  const headers = { Accept: 'application/oauth-authz-req+jwt, application/jwt' };
  const answer = await fetchInTurn(server, document, () =>
    getDocument(outboundFor(server, client), address, { headers, maxBytes: largestObject }, unreadable),
  );
  if (answer.status !== 200) throw unreadable(`it answers with status ${answer.status}`);
  if (digest !== undefined && digest !== hash('sha256', answer.body, 'base64url')) {
    throw unreadable('its fragment is not the hash of the document (OIDC Core §6.2)');
  }
  if (!/^\s*[\w-]+(\.[\w-]*){2,4}\s*$/.test(answer.body)) throw unreadable('there is no JWT');
  return answer.body.trim();
}

/** Seconds from now that `exp` and `nbf` may be at most (FAPI 2.0 Message Signing §5.3.2). */
const furthest = 3600;

/**
 * Checks that the object is for this server, from this client and within its time (RFC 9101 §4, §6).
 * @throws invalid_request_object
 */
function checkObjectClaims(context: ObjectContext, claims: JWTPayload, refuse: Refuse): void {
  checkClient(context, claims, refuse);
  checkAudience(context, claims, refuse);
  checkTime(context, claims, refuse);
  for (const name of ['request', 'request_uri']) {
    if (claims[name] === undefined) continue;
    const description = `a request object may not hold ${name} (RFC 9101 §4)`;
    throw refuse('request_object_nested', description, { sent: name, expected: 'plain parameters' });
  }
}

function checkClient({ client }: ObjectContext, { client_id, iss, sub }: JWTPayload, refuse: Refuse): void {
  const expected = client.client_id;
  if (client_id !== expected) {
    const description = 'client_id of the request object differs from the client_id parameter (RFC 9101 §5)';
    throw refuse('request_object_client_mismatch', description, { sent: shown(client_id), expected });
  }
  if (iss !== undefined && iss !== expected) {
    const description = 'iss of the request object is not the client_id (RFC 9101 §4)';
    throw refuse('request_object_client_mismatch', description, { sent: shown(iss), expected });
  }
  if (sub !== expected) return;
  const description =
    'sub of the request object is the client_id: that would make it a client assertion (RFC 9101 §10.8)';
  throw refuse('request_object_malformed', description, { sent: 'sub', expected: 'a request object without sub' });
}

/** RFC 9101 §4 recommends `aud`, and FAPI 2.0 Message Signing §5.3.2 requires it. */
function checkAudience({ server }: ObjectContext, { aud }: JWTPayload, refuse: Refuse): void {
  if (aud === undefined && server.profile === 'none') return;
  const values: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (values.includes(server.iss)) return;
  throw refuse('request_object_audience_mismatch', 'aud of the request object is not this server', {
    sent: shown(aud),
    expected: server.iss,
  });
}

function checkTime({ server }: ObjectContext, claims: JWTPayload, refuse: Refuse): void {
  const { exp, nbf, iat } = claims;
  const isStrict = server.profile === 'fapi2';
  for (const [name, value, isNeeded] of [
    ['exp', exp, isStrict],
    ['nbf', nbf, isStrict],
    ['iat', iat, false],
  ] as const) {
    if (value === undefined ? !isNeeded : areTimes(value)) continue;
    const description = `${name} of the request object is missing or not a number`;
    throw refuse('request_object_time_malformed', description, {
      sent: shown(value),
      expected: `${name} in seconds since 1970`,
    });
  }
  checkByEitherClock(server, now => checkPeriod(now, claims, isStrict, refuse));
}

const timeProblems: TimeProblems = { name: 'the request object', kind: 'request_object' };

function checkPeriod(now: number, claims: JWTPayload, isStrict: boolean, refuse: Refuse): void {
  checkNotExpired(now, claims, timeProblems, refuse);
  checkBegun(now, claims, timeProblems, refuse);
  const { exp, nbf } = claims;
  if (!isStrict) return;
  const [name, time] = exp !== undefined && exp > now + furthest ? (['exp', exp] as const) : (['nbf', nbf] as const);
  if (name === 'nbf' && (time === undefined || time >= now - furthest)) return;
  throw refuse('request_object_time_malformed', `${name} of the request object is too far from now`, {
    sent: `${name} ${time}, now is ${now}`,
    expected: `at most ${furthest} s from now (FAPI 2.0 Message Signing §5.3.2)`,
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : shorten(text(value));
}

/** Claims of the JWT itself, which are not parameters (RFC 9101 §4). */
const claimsOfJwt = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

/** The claims as parameters: text unchanged, numbers as digits, everything else as JSON (RFC 9101 §4, OIDC Core §6.1). */
export function objectParameters(claims: JWTPayload): RequestParameters {
  const values = new Map<string, string>();
  const malformed = new Set<string>();
  const resources: string[] = [];
  for (const [name, value] of Object.entries(claims)) {
    if (claimsOfJwt.has(name) || value === undefined || value === null) continue;
    if (name === 'resource') resources.push(...[value].flat().map(text));
    values.set(name, text(value));
    if (controlCharacters.test(text(value))) malformed.add(shorten(name));
  }
  return { values, repeated: new Set(), malformed, resources: resources.filter(each => each !== '') };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The client of a request object, and how the object was sent. */
interface ObjectContext extends ClientCall {
  /** In `request`, behind `request_uri`, or at the pushed authorization request endpoint (RFC 9126 §3). */
  readonly sentAs: 'value' | 'reference' | 'pushed';
}

/**
 * Refuses an unpushed request if the client must push its requests (RFC 9126 §5). FAPI 2.0 §5.3.2.2 requires it of every
 * client.
 * @throws invalid_request
 */
export function demandPushed(server: AuthorizationServer, client: RegisteredClient): void {
  if (!mustPush(server, client)) return;
  const description = 'this client must push its authorization requests, but this request was not pushed';
  throw invalidRequest('request_not_pushed', description, {
    expected: 'request_uri from the pushed authorization request endpoint',
    client_id: client.client_id,
  });
}

/**
 * Refuses an unsigned request if the client, or every client, must sign its requests (RFC 9101 §10.5).
 * @throws invalid_request
 */
export function demandSigned(server: AuthorizationServer, client: RegisteredClient): void {
  if (!mustSign(server, client)) return;
  throw invalidRequest('request_not_signed', 'this client must sign its authorization requests: request is missing', {
    expected: 'request, a signed request object',
    client_id: client.client_id,
  });
}

/** True if this client may send a plain authorization request, neither pushed nor signed. */
export function mayAskPlainly(server: AuthorizationServer, client: RegisteredClient): boolean {
  return !mustPush(server, client) && !mustSign(server, client);
}

function mustPush({ profile }: AuthorizationServer, client: RegisteredClient): boolean {
  return profile === 'fapi2' || client.require_pushed_authorization_requests;
}

function mustSign({ requireSignedRequests }: AuthorizationServer, client: RegisteredClient): boolean {
  return requireSignedRequests || client.require_signed_request_object;
}

/** Longest text inside, so that a small object cannot become a large one. */
const longest = 64 * 1024;

/**
 * The signed JWT inside of an encrypted request object (RFC 9101 §6.1), with the relaxation `REQUEST_ENCRYPTION`.
 * @throws invalid_request_object
 */
async function decryptObject(server: AuthorizationServer, jwe: string, refuse: Refuse): Promise<string> {
  const { rsa, ec } = await decryptionKeys(server.keys);
  const keyOf = ({ alg = '' }: CompactJWEHeaderParameters) => (alg.startsWith('RSA') ? rsa : ec).privateKey;
  try {
    const { plaintext } = await compactDecrypt(jwe, keyOf, {
      keyManagementAlgorithms: [...encryptionAlgs],
      contentEncryptionAlgorithms: [...encryptionEncs],
    });
    if (plaintext.length <= longest) return new TextDecoder().decode(plaintext);
  } catch (cause) {
    const description = 'the request object cannot be decrypted with a key of this server';
    const expected = 'a JWE to a key of the JWK Set with use enc';
    throw refuse('request_object_malformed', description, { expected, cause });
  }
  throw refuse('request_object_malformed', 'the request object is too long', { expected: `at most ${longest} bytes` });
}
