import { wordOfScripts } from '../../base/text/authorization-header.ts';
import { isRecord } from '../../base/text/record.ts';
import { type AuthorizationServer, askedAt } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authMethodOf, localizedMembers, needsSecret, readClientMetadata } from '../clients/client-metadata.ts';
import {
  type ClientRegistration,
  clientInformation,
  endRegistration,
  findRegistration,
  putRegistration,
  startRegistration,
} from '../clients/client-registration.ts';
import { withSoftwareStatement } from '../clients/software-statement.ts';
import { invalidClientMetadata, invalidRequest, OAuthError } from '../errors.ts';
import { describeValue } from '../parameters.ts';
import { bearerToken, otherHeader } from '../proofs/bearer-token.ts';
import { sameSecret } from '../random.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** Dynamic client registration (RFC 7591 §3, OIDC Registration §3). */
export async function register(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  checkInitialAccessToken(server, request);
  const metadata = await withSoftwareStatement(server, metadataOf(request.json));
  const client_id = server.random.id(); // never chosen by the client (RFC 9700 §4.15.1)
  const localized = localizedMembers(metadata);
  const client_secret = secretFor(server, authMethodOf(metadata));
  const client = await readClientMetadata(server, metadata, { client_id, client_secret, origin: 'registration' });
  server.clients.register(client);
  const { registration, token } = await startRegistration(server, client_id, localized);
  const { client_name, redirect_uris, scope } = client;
  request.emit({ type: 'client.registered', client_id, client_name, redirect_uris, scope });
  const body = clientInformation(server, client, registration, token, askedAt(server, request));
  return { kind: 'json', status: 201, body };
}

/** RFC 7591 §3: registration needs the initial access token, unless the mode is `open`. */
function checkInitialAccessToken({ registration, issuer }: AuthorizationServer, request: EndpointRequest): void {
  if (registration.mode === 'open') return;
  const needed = 'registration needs the initial access token of this sandbox';
  const token = registrationToken(issuer, request, 'initial_access_token_missing', needed);
  const { initialAccessToken } = registration;
  if (initialAccessToken !== undefined && sameSecret(token, initialAccessToken)) return;
  const description = 'this is not the initial access token of this sandbox';
  throw challenged(issuer, 'initial_access_token_wrong', description, wordOfScripts(token));
}

/**
 * The token of a request that needs one for registrations. @throws invalid_token, with the `missing` reason only for a request
 * without an Authorization header
 */
function registrationToken(
  issuer: string,
  { authorization }: EndpointRequest,
  missing: TokenReason,
  needed: string,
): string {
  const token = bearerToken(authorization);
  if (token !== undefined) return token;
  const other = otherHeader(authorization);
  if (other === undefined) throw challenged(issuer, missing, needed);
  throw challenged(issuer, 'access_token_scheme_wrong', `${other.clause}; ${needed}`, other.sent);
}

type TokenReason =
  | 'access_token_scheme_wrong'
  | 'initial_access_token_missing'
  | 'initial_access_token_wrong'
  | 'registration_access_token_missing'
  | 'registration_access_token_wrong';

/** A 401 with its challenge (RFC 6750 §3), without an error code if no token was sent. */
function challenged(issuer: string, reason: TokenReason, description: string, sent?: string): OAuthError {
  const error = reason.endsWith('_token_wrong') ? `, error="invalid_token", error_description="${description}"` : '';
  const headers = { 'WWW-Authenticate': `Bearer realm="${issuer}"${error}` };
  const expected = 'Authorization: Bearer <token>';
  return new OAuthError('invalid_token', reason, description, { sent, expected, headers });
}

/** @throws invalid_client_metadata for a body that is not a JSON object */
function metadataOf(json: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(json)) return json;
  throw invalidClientMetadata('client_metadata_invalid', 'the body must be a JSON object', {
    sent: Array.isArray(json) ? 'a list' : String(json).slice(0, 100),
    expected: '{"redirect_uris": [ ... ]}',
  });
}

/** Shortest key of HS512 in octets; no other HMAC needs a longer one (RFC 7518 §3.2). */
const longestHmacKey = 64;

/** Makes a secret. It is long enough for any HMAC if the client's method uses one (RFC 7518 §3.2). */
function secretFor({ random }: Pick<AuthorizationServer, 'random'>, method: string): string | undefined {
  if (!needsSecret(method)) return undefined;
  return method === 'client_secret_jwt' ? random.secret() + random.secret() : random.secret();
}

interface Managed {
  readonly client: RegisteredClient;
  readonly registration: ClientRegistration;
  readonly token: string;
}

/** Reads, replaces or deletes a client that registered itself (RFC 7592 §2), with its registration access token only. */
export async function clientConfiguration(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const managed = await authenticate(server, request);
  if (request.method === 'DELETE') return deleteClient(server, request, managed);
  const { client, registration } = request.method === 'PUT' ? await replaceClient(server, request, managed) : managed;
  const body = clientInformation(server, client, registration, managed.token, askedAt(server, request));
  return { kind: 'json', status: 200, body };
}

/** Without the right token the answer is the same for known and unknown clients, so it does not reveal which exist. */
async function authenticate(server: AuthorizationServer, request: EndpointRequest): Promise<Managed> {
  const needed = 'a client registration requires its registration_access_token';
  const token = registrationToken(server.issuer, request, 'registration_access_token_missing', needed);
  const client_id = request.path.slice(request.path.lastIndexOf('/') + 1);
  const found = await findRegistration(server, client_id, token);
  if (found !== undefined) return { ...found, token };
  const description = 'the registration_access_token is wrong, or the client does not exist';
  throw challenged(server.issuer, 'registration_access_token_wrong', description, wordOfScripts(token));
}

async function deleteClient(
  server: AuthorizationServer,
  { emit }: EndpointRequest,
  { client: { client_id } }: Managed,
): Promise<Reply> {
  await endRegistration(server, client_id);
  emit({ type: 'client.deleted', client_id });
  return { kind: 'empty' };
}

/** RFC 7592 §2.2: members that are not sent again are removed. */
async function replaceClient(
  server: AuthorizationServer,
  { json, emit }: EndpointRequest,
  { client: before, registration }: Managed,
): Promise<Pick<Managed, 'client' | 'registration'>> {
  const sent = metadataOf(json);
  checkUnchangeable(sent, before);
  const metadata = await withSoftwareStatement(server, sent);
  const method = authMethodOf(metadata);
  const client_secret = isLongEnough(before.client_secret, method) ? before.client_secret : secretFor(server, method);
  const { client_id } = before;
  const localized = localizedMembers(metadata);
  const client = await readClientMetadata(server, metadata, { client_id, client_secret, origin: 'registration' });
  server.clients.register(client);
  const replaced = { ...registration, localized };
  await putRegistration(server, client_id, replaced);
  const { client_name, redirect_uris, scope } = client;
  emit({ type: 'client.updated', client_id, client_name, redirect_uris, scope });
  return { client, registration: replaced };
}

/** True if the client can keep its secret for this method: an HMAC may need a longer one (RFC 7518 §3.2). */
function isLongEnough(secret: string | undefined, method: string): boolean {
  if (secret === undefined || !needsSecret(method)) return false;
  return method !== 'client_secret_jwt' || secret.length >= longestHmacKey;
}

const ofTheServer = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
];

/** RFC 7592 §2.2: the id must be repeated, the secret may be, and the client can choose neither. */
function checkUnchangeable(sent: Readonly<Record<string, unknown>>, client: RegisteredClient): void {
  if (sent.client_id !== client.client_id) {
    const details = { sent: describeValue(sent.client_id ?? 'none'), expected: client.client_id };
    throw invalidRequest('client_metadata_invalid', 'client_id must be the client_id of this client', details);
  }
  if (sent.client_secret !== undefined && !isItsSecret(sent.client_secret, client)) {
    const description = 'client_secret must be the current secret of this client: a client cannot choose its secret';
    throw invalidRequest('client_metadata_invalid', description, {
      expected: 'the issued client_secret, or no client_secret',
    });
  }
  const foreign = ofTheServer.find(name => sent[name] !== undefined);
  if (foreign === undefined) return;
  const description = `${foreign} must not be sent: the server sets it`;
  throw invalidRequest('client_metadata_invalid', description, { sent: foreign, expected: 'client metadata only' });
}

function isItsSecret(sent: unknown, { client_secret }: RegisteredClient): boolean {
  return typeof sent === 'string' && client_secret !== undefined && sameSecret(sent, client_secret);
}
