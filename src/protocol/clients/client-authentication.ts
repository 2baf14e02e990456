import type { Emit } from '../../base/events/event.ts';
import type { ClientCertificate } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidClient, invalidRequest, type Refuse, unauthorizedClient } from '../errors.ts';
import { endsInLineBreak, parameter, type RequestParameters, rejectUnreadable, shorten } from '../parameters.ts';
import { checkProfile, tlsMethods } from '../profile.ts';
import { sameSecret } from '../random.ts';
import { isPublic, type RegisteredClient, type TokenEndpointAuthMethod } from './client.ts';
import { type AssertedIdentity, authenticateByAssertion } from './client-assertion.ts';
import { findClient, unknownClient } from './find-client.ts';
import { authenticateByCertificate } from './tls-client-authentication.ts';

interface Credentials {
  readonly authorization?: string;
  readonly certificate?: ClientCertificate;
  readonly parameters: RequestParameters;
  /** Path of the endpoint: the audience of an assertion may be its address. */
  readonly path?: string;
  readonly emit?: Emit;
}

interface Claimed {
  readonly client_id: string;
  readonly method: TokenEndpointAuthMethod;
  /** Candidates for the secret: Basic values are form-decoded, but some clients send them raw. */
  readonly secrets: readonly string[];
}

/**
 * Authenticates the client of a request, by one method only (RFC 6749 §2.3), and logs it.
 * @throws invalid_client, with a Basic challenge if Basic was used (§5.2); invalid_request for two methods at once, and
 * for any parameter that was sent twice or is unreadable
 */
export async function authenticateClient(
  server: AuthorizationServer,
  credentials: Credentials,
): Promise<Authenticated> {
  rejectUnreadable(credentials.parameters);
  const { client, method } = await identifyClient(server, credentials);
  if (server.profile === 'fapi2') checkProfile(client, method);
  credentials.emit?.({ type: 'client.authenticated', client_id: client.client_id, method });
  return { client, method };
}

/** @throws unauthorized_client if the client may not use the grant (RFC 6749 §5.2) */
export function requireGrant(client: RegisteredClient, grantType: string): void {
  if (client.grant_types.includes(grantType)) return;
  const expected = client.grant_types.join(', ');
  const description = `${client.client_id} is not registered for ${grantType}, only for ${expected || 'no grant'}`;
  throw unauthorizedClient('grant_type_not_registered', description, { sent: grantType, expected });
}

interface Authenticated {
  readonly client: RegisteredClient;
  readonly method: TokenEndpointAuthMethod;
}

async function identifyClient(server: AuthorizationServer, credentials: Credentials): Promise<Authenticated> {
  const refuse = refusal(server, credentials);
  const assertion = claimedAssertion(credentials, refuse);
  if (assertion !== undefined) {
    return authenticateByAssertion(server, assertion);
  }
  const claimed = claimedIdentity(server, credentials, refuse);
  const client = await findClient(server, claimed.client_id, credentials.emit);
  if (client === undefined) {
    const { description, sent, nearest } = await unknownClient(server, claimed.client_id);
    throw refuse('client_unknown', description, { sent, expected: nearest ?? 'a registered client_id' });
  }
  const refuseClient: Refuse = (reason, description, details) =>
    refuse(reason, description, { ...details, client_id: client.client_id });
  const { emit } = credentials;
  if (claimed.method === 'none' && authenticatesByCertificate(server, client)) {
    const { certificate } = credentials;
    const method = await authenticateByCertificate({ server, client, certificate, refuse: refuseClient, emit });
    return { client, method };
  }
  const proof = { client, secret: claimed.secrets[0], refuse: refuseClient, emit };
  const proved = await server.dialect?.proveBySecret?.(server, proof);
  if (proved !== undefined) return { client, method: proved };
  if (client.origin !== 'any') {
    checkMethod(client, claimed.method, refuseClient);
    checkSecret(client, claimed, refuseClient);
  }
  return { client, method: claimed.method };
}

/** Such a client sends its `client_id` alone (RFC 8705 §2). */
function authenticatesByCertificate({ features }: AuthorizationServer, client: RegisteredClient): boolean {
  return features.has('mtls') && client.token_endpoint_auth_methods.some(method => tlsMethods.includes(method));
}

function refusal(server: AuthorizationServer, { authorization }: Credentials): Refuse {
  if (authorization === undefined) return invalidClient;
  const headers = { 'WWW-Authenticate': `Basic realm="${server.issuer}", charset="UTF-8"` };
  return (reason, description, details) => invalidClient(reason, description, { ...details, headers });
}

/** RFC 7521 §4.2. */
function claimedAssertion(credentials: Credentials, refuse: Refuse): AssertedIdentity | undefined {
  const { authorization, parameters, path, emit } = credentials;
  const assertion = parameter(parameters, 'client_assertion');
  const type = parameter(parameters, 'client_assertion_type');
  if (assertion === undefined) {
    if (type === undefined) return undefined;
    throw refuse('client_assertion_missing', 'client_assertion_type was sent without client_assertion', {
      expected: 'client_assertion, a signed JWT',
    });
  }
  if (authorization !== undefined || parameter(parameters, 'client_secret') !== undefined) {
    const other = authorization === undefined ? 'client_secret' : 'Authorization header';
    const description = `two client authentication methods at once: client_assertion and ${other}`;
    throw invalidRequest('authentication_methods_combined', description, { expected: 'one of the two' });
  }
  return { assertion, type, client_id: parameter(parameters, 'client_id'), path, emit };
}

function claimedIdentity(
  server: AuthorizationServer,
  { authorization, parameters }: Credentials,
  refuse: Refuse,
): Claimed {
  const client_id = parameter(parameters, 'client_id');
  const client_secret = parameter(parameters, 'client_secret');
  if (authorization !== undefined) return fromHeader(server, authorization, client_id, client_secret, refuse);
  if (client_id === undefined) {
    const place = parameters.inQuery?.has('client_id')
      ? '; client_id is in the query, and a POST sends it in the body'
      : '';
    const description = `no client authentication: neither an Authorization header nor client_id${place}`;
    throw refuse('client_unidentified', description, {
      expected: 'Authorization: Basic, or client_id in the body',
    });
  }
  // an empty secret means none: some libraries send it for public clients
  if (client_secret === undefined) return { client_id, method: 'none', secrets: [] };
  return { client_id, method: 'client_secret_post', secrets: [client_secret] };
}

function fromHeader(
  server: AuthorizationServer,
  header: string,
  bodyId: string | undefined,
  bodySecret: string | undefined,
  refuse: Refuse,
): Claimed {
  const basic = parseBasic(header, server.dialect?.takesBasicId);
  if (basic === undefined) {
    const description = 'the Authorization header is not Basic with base64 of client_id:client_secret';
    throw refuse('basic_header_malformed', description, {
      sent: shorten(header.split(' ', 1)[0] ?? '', 20),
      expected: 'Basic base64(form-encoded client_id : form-encoded client_secret)',
    });
  }
  const secrets = [...new Set([formDecode(basic.secret), basic.secret])];
  if (bodySecret !== undefined && !(server.dialect?.takesSecretTwice && secrets.includes(bodySecret))) {
    const description = 'two client authentication methods at once: Authorization header and client_secret';
    throw invalidRequest('authentication_methods_combined', description, { expected: 'one of the two' });
  }
  const decoded = formDecode(basic.id);
  const client_id = [decoded, basic.id].find(id => server.clients.has(id)) ?? decoded;
  if (bodyId !== undefined && bodyId !== client_id) {
    const description = 'client_id in the body differs from the Authorization header';
    throw invalidRequest('authentication_methods_combined', description, {
      sent: shorten(bodyId),
      expected: client_id,
    });
  }
  if (basic.secret === '') return { client_id, method: 'none', secrets: [] };
  return { client_id, method: 'client_secret_basic', secrets };
}

/** Parses RFC 7617 §2, but accepts only valid base64. With `takesId` a name alone is a name without a secret. */
function parseBasic(header: string, takesId: true | undefined): { id: string; secret: string } | undefined {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header.trim());
  if (match?.[1] === undefined) return undefined;
  const sent = Buffer.from(match[1], 'base64').toString('utf8');
  const text = takesId && !sent.includes(':') ? `${sent}:` : sent;
  const colon = text.indexOf(':');
  // a line break at the end is left to the comparison of secrets, which names it
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids them in both parts
  if (colon < 1 || /[\x00-\x1f\x7f\ufffd]/.test(text.replace(/[\r\n]+$/, ''))) return undefined;
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function checkMethod(client: RegisteredClient, method: TokenEndpointAuthMethod, refuse: Refuse): void {
  if (client.token_endpoint_auth_methods.includes(method)) return;
  const expected = client.token_endpoint_auth_methods.join(' or ');
  if (method === 'none') {
    throw refuse('client_secret_missing', `this client must authenticate with ${expected}`, { sent: 'none', expected });
  }
  const description = isPublic(client)
    ? 'this client is public and has no secret: send client_id only'
    : `this client is not registered for ${method}, only for ${expected}`;
  const reason = isPublic(client) ? 'client_is_public' : 'authentication_method_not_registered';
  throw refuse(reason, description, { sent: method, expected });
}

function checkSecret(client: RegisteredClient, { method, secrets }: Claimed, refuse: Refuse): void {
  if (method === 'none') return;
  const registered = client.client_secret;
  if (registered !== undefined && secrets.some(secret => sameSecret(secret, registered))) return;
  const isPadded = registered !== undefined && sameSecret(secrets[0]?.trim() ?? '', registered);
  const around = /[\r\n]$/.test(secrets[0] ?? '') ? endsInLineBreak : 'has white space around it';
  const hint = isPadded ? ` (it ${around})` : '';
  throw refuse('client_secret_wrong', `the client_secret differs from the registered secret${hint}`, {
    sent: `a secret of ${secrets[0]?.length ?? 0} characters`,
    expected: 'the registered secret',
  });
}
