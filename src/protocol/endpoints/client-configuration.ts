import { wordOfScripts } from '../../base/text/authorization-header.ts';
import { type AuthorizationServer, askedAt } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authMethodOf, needsSecret, readClientMetadata } from '../clients/client-metadata.ts';
import {
  type ClientRegistration,
  clientInformation,
  endRegistration,
  findRegistration,
  putRegistration,
} from '../clients/client-registration.ts';
import { localizedMembers } from '../clients/localized-metadata.ts';
import { withSoftwareStatement } from '../clients/software-statement.ts';
import { invalidRequest } from '../errors.ts';
import { describeValue } from '../parameters.ts';
import { sameSecret } from '../random.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';
import { challenged, longestHmacKey, metadataOf, registrationToken, secretFor } from './register.ts';

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
