import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import { allowsRequestUri, type RegisteredClient } from '../clients/client.ts';
import { fetchInTurn, getDocument, outboundFor } from '../clients/document-fetches.ts';
import { checkOwnersSignature, clientJwtFaults, type JwtForm, readSignedJwt } from '../clients/signed-jwt.ts';
import { OAuthError, type Refuse } from '../errors.ts';
import { type RequestParameters, shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import { mayAskPlainly } from './demanded-form.ts';
import { checkObjectClaims, type ObjectContext, objectParameters } from './request-object-claims.ts';

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
  await checkOwnersSignature({ server, owner: client, emit }, jwt, header, faults, refuse);
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

const faults = clientJwtFaults('the request object', 'request_object', 'request_object_key_unknown');

/** A JWE has five parts (RFC 7516 §3.1). */
async function decrypted(server: AuthorizationServer, jwt: string): Promise<string> {
  if (jwt.split('.').length !== 5) return jwt;
  if (server.dropIns?.requestEncryption)
    return (await import('./encrypted-object.ts')).decryptObject(server, jwt, refuse);
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
