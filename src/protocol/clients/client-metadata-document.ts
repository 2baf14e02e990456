import { defined } from '../../base/defined.ts';
import type { Emit } from '../../base/events/event.ts';
import { recordIn } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type ErrorDetails, invalidClient, OAuthError, type Reason } from '../errors.ts';
import { isDeeperThan } from '../json-parameter.ts';
import type { OutboundAnswer } from '../outbound.ts';
import { describeValue, shorten } from '../parameters.ts';
import { responseTypesSupported } from '../profile.ts';
import { parseScope } from '../scope.ts';
import { type RegisteredClient, secretMethods } from './client.ts';
import { grantsForStrangers, isLoopbackUrl, readClientMetadata } from './client-metadata.ts';
import { cacheLifetime, fetchInTurn, getDocument } from './document-fetches.ts';

/** Largest document in bytes; enough for any description of a client. */
const mostBytes = 5 * 1024;
const longestAddress = 1024;

/**
 * The client that describes itself at its `client_id` (draft-ietf-oauth-client-id-metadata-document §4). Its document is
 * fetched, checked by the rules for unknown clients, and cached as long as it allows. An unreadable document is never
 * cached.
 * @throws invalid_client
 */
export async function clientOfDocument(
  server: AuthorizationServer,
  client_id: string,
  emit?: Emit,
): Promise<RegisteredClient> {
  checkAddress(server, client_id);
  const known = await server.fetched.get<RegisteredClient>(['client_document', client_id]);
  if (known !== undefined) return known;
  try {
    const document = { name: `client ${client_id}`, url: client_id, client_id };
    return await fetchInTurn(server, document, () => fetchClient(server, client_id, emit));
  } catch (error) {
    if (error instanceof OAuthError) {
      emit?.({ type: 'client_document.refused', client_id: shorten(client_id), description: error.fullDescription });
    }
    throw error;
  }
}

/** §3: one spelling, no hidden parts, and a path after the host. */
function checkAddress(server: AuthorizationServer, client_id: string): void {
  const problem = addressProblem(client_id, isLoopbackUrl(server.issuer));
  if (problem === undefined) return;
  const description = `client_id is not a valid address of a metadata document: ${problem}`;
  throw refused('metadata_document_url_invalid', description, client_id, { expected: 'https://client.example/path' });
}

function addressProblem(client_id: string, isLocal: boolean): string | undefined {
  if (client_id.length > longestAddress) return `it has more than ${longestAddress} characters`;
  if (!/^[\x21-\x7e]+$/.test(client_id) || !URL.canParse(client_id)) return 'it is not a URL';
  const { protocol, username, password, pathname } = new URL(client_id);
  const isLoopback = isLoopbackUrl(client_id);
  if (isLoopback && !isLocal) return 'it is on this machine, but this server accepts calls from other machines';
  if (protocol !== 'https:' && !isLoopback) return 'it is not https';
  if (client_id.includes('#')) return 'it has a fragment';
  if (username !== '' || password !== '') return 'it has a user name or password';
  if (pathname === '/') return 'it has no path';
  const path = client_id.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1)[0] ?? '';
  return path.split('/').some(segment => /^(\.|%2e){1,2}$/i.test(segment))
    ? 'it has . or .. as a path segment'
    : undefined;
}

async function fetchClient(
  server: AuthorizationServer,
  client_id: string,
  emit: Emit | undefined,
): Promise<RegisteredClient> {
  const answer = await fetchDocument(server, client_id);
  const client = await readDocument(server, client_id, parseDocument(client_id, answer));
  const keptFor = cacheLifetime(answer);
  const { refreshToken, session } = server.lifetimes;
  const longestGrant = Math.max(refreshToken, session, 86_400);
  await server.store.put(['seen_client', client_id], client, longestGrant); // for `recallClient`
  if (keptFor > 0) await server.fetched.put(['client_document', client_id], client, keptFor);
  emit?.({ type: 'client_document.fetched', client_id, keptFor, milliseconds: answer.milliseconds });
  return client;
}

async function fetchDocument(server: AuthorizationServer, client_id: string): Promise<OutboundAnswer> {
  const options = { headers: { Accept: 'application/json' }, maxBytes: mostBytes };
  const unavailable = (met: string, cause?: Error) =>
    unreadable('metadata_document_unavailable', client_id, met, defined({ cause }));
  const answer = await getDocument(server.strangersOutbound, client_id, options, unavailable);
  const problem = answerProblem(answer);
  if (problem === undefined) return answer;
  throw unavailable(`it ${problem}`);
}

/** §4: only 200 with JSON is accepted; a redirect is an error, too. */
function answerProblem({ status, headers }: OutboundAnswer): string | undefined {
  if (status !== 200) return `answers with status ${status}, not 200`;
  const [type = ''] = (headers['content-type'] ?? 'no Content-Type').split(';', 1);
  if (/^application\/([\w!#$&^.-]+\+)?json$/i.test(type.trim())) return undefined;
  return `is ${shorten(type.trim(), 100)}, not application/json`;
}

/** Levels of nesting, the same as at the registration endpoint. */
const deepest = 20;

function parseDocument(client_id: string, { body }: OutboundAnswer): Readonly<Record<string, unknown>> {
  const document = recordIn(body);
  if (document === undefined || isDeeperThan(document, deepest)) {
    throw unreadable('metadata_document_invalid', client_id, 'it is not a JSON object');
  }
  return JSON.parse(body, (name, value) => (name === '__proto__' ? undefined : value));
}

async function readDocument(
  server: AuthorizationServer,
  client_id: string,
  document: Readonly<Record<string, unknown>>,
): Promise<RegisteredClient> {
  checkDocument(client_id, document);
  try {
    return await readClientMetadata(server, suited(server, document), { client_id, origin: 'metadata_document' });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const description = `the metadata document of the client is refused: ${error.description}`;
    throw refused('metadata_document_invalid', description, client_id, error.details);
  }
}

/** §4.1: it names its own address, and contains no secret that only the client and one server may know. */
function checkDocument(client_id: string, document: Readonly<Record<string, unknown>>): void {
  if (document.client_id !== client_id) {
    const met = `its client_id is ${describeValue(document.client_id ?? 'none')}, not its own address`;
    throw unreadable('metadata_document_invalid', client_id, met, { expected: client_id });
  }
  const secret = ['client_secret', 'client_secret_expires_at'].find(name => document[name] !== undefined);
  const method = secretMethods.find(known => known === document.token_endpoint_auth_method);
  if (secret === undefined && method === undefined) return;
  const description = `the metadata document of the client has ${secret ?? method}: a public document cannot hold a secret`;
  throw refused('metadata_document_invalid', description, client_id, { expected: 'none or private_key_jwt' });
}

/** A document is for many servers: grants, response types and scopes that this one does not support are ignored. */
function suited(
  server: AuthorizationServer,
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { token_endpoint_auth_method = 'none', scope } = document;
  const types: readonly string[] = responseTypesSupported(server);
  const implicit = types.some(type => type !== 'code') ? ['implicit'] : [];
  return {
    ...document,
    token_endpoint_auth_method,
    ...offeredOf(document, 'grant_types', [...grantsForStrangers(server), ...implicit]),
    ...offeredOf(document, 'response_types', types),
    ...(typeof scope === 'string' ? { scope: parseScope(scope).join(' ') } : {}),
  };
}

function offeredOf(
  document: Readonly<Record<string, unknown>>,
  member: 'grant_types' | 'response_types',
  offered: readonly string[],
): Readonly<Record<string, unknown>> {
  const listed = document[member];
  if (!Array.isArray(listed)) return {};
  return { [member]: listed.filter(value => typeof value !== 'string' || offered.includes(value)) };
}

function refused(reason: Reason, description: string, client_id: string, details: ErrorDetails = {}): OAuthError {
  return invalidClient(reason, description, { sent: shorten(client_id), ...details });
}

/** Says nothing about the fetched contents: until it is known to be a metadata document, an answer must not reveal them. */
function unreadable(reason: Reason, client_id: string, met: string, details: ErrorDetails = {}): OAuthError {
  const description = 'the metadata document of the client cannot be read or is for a different client_id';
  const expected = 'an address that answers with the metadata of this client as JSON';
  return refused(reason, description, client_id, { met, expected, ...details });
}
