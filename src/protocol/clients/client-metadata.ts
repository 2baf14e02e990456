import { defined } from '../../base/defined.ts';
import { jsonIn } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type InputProblem, invalidClientMetadata, invalidRedirectUri, type OAuthError } from '../errors.ts';
import type { Outbound } from '../outbound.ts';
import { describeValue, shorten } from '../parameters.ts';
import { assertionAlgs, asymmetricAlgs, beginKeys, responseTypesSupported, supportedAuthMethods } from '../profile.ts';
import { parseScope } from '../scope.ts';
import { type RegisteredClient, secretMethods, tokenEndpointAuthMethods } from './client.ts';
import { type ClientMember, clientMembers } from './client-members.ts';
import { fetchInTurn, getDocument, outboundFor } from './document-fetches.ts';

/** Metadata a client may register. All other members, our own extensions included, are ignored as unknown. */
const members = Object.entries<ClientMember>(clientMembers).filter(([, { isOurs }]) => isOurs !== true);

/** The members this issuer supports for a client with this scope: without `openid` there are no ID tokens. */
export function knownMembers({ features }: AuthorizationServer, scope: unknown): readonly string[] {
  const isOpenId = typeof scope !== 'string' || parseScope(scope).includes('openid');
  const known = members.filter(([name, { needs = [] }]) => {
    const isOn = [needs].flat().every(feature => features.has(feature));
    return isOn && (isOpenId || name !== 'id_token_signed_response_alg');
  });
  return known.map(([name]) => name);
}

interface GivenMetadata {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly origin: RegisteredClient['origin'];
}

/**
 * A client from the metadata it sent, checked by the rules of the configuration and the stricter rules for clients that
 * register themselves.
 * @throws invalid_redirect_uri, invalid_client_metadata (RFC 7591 §3.2.2)
 */
export async function readClientMetadata(
  server: AuthorizationServer,
  metadata: Readonly<Record<string, unknown>>,
  { client_id, client_secret, origin }: GivenMetadata,
): Promise<RegisteredClient> {
  checkMethodOffered(server, authMethodOf(metadata)); // first: the members of a method that is off are unknown
  const scope = scopeOf(server, metadata.scope ?? undefined);
  const said = pick(metadata, knownMembers(server, scope));
  const application_type = hasOwnScheme(said.redirect_uris) ? 'native' : 'web';
  const entry = { application_type, ...said, scope, client_id, ...defined({ client_secret }) };
  const read = await server.registration.readClient(entry, origin);
  if ('problems' in read) throw refusal(read.problems);
  checkOffered(server, read.client);
  checkRedirectUris(read.client);
  checkLogoutFrame(read.client);
  await checkSectorDocument(server, read.client);
  beginKeys(server, read.client);
  return read.client;
}

/** RFC 7591 §2: a member with null counts as absent. */
function pick(metadata: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const said = names.filter(name => Object.hasOwn(metadata, name) && metadata[name] !== null);
  return Object.fromEntries(said.map(name => [name, metadata[name]]));
}

/** The authentication method of a client, with the default of RFC 7591 §2. */
export function authMethodOf({ token_endpoint_auth_method: method }: Readonly<Record<string, unknown>>): string {
  return typeof method === 'string' ? method : 'client_secret_basic';
}

export function needsSecret(method: string): boolean {
  return secretMethods.some(known => known === method);
}

/** The default of OIDC Registration §2 is `web`, but only a native application can have a private-use scheme. */
function hasOwnScheme(redirectUris: unknown): boolean {
  return Array.isArray(redirectUris) && redirectUris.some(uri => typeof uri === 'string' && !/^https?:/i.test(uri));
}

/** RFC 7591 §2: without `scope` the server chooses, which is all scopes. Unknown scopes are left out. */
function scopeOf({ scopes }: AuthorizationServer, said: unknown): unknown {
  if (said === undefined) return [...scopes.keys()].join(' ');
  if (typeof said !== 'string') return said;
  return parseScope(said)
    .filter(scope => scopes.has(scope))
    .join(' ');
}

function refusal(problems: readonly InputProblem[]): OAuthError {
  const [first] = problems;
  const described = problems.map(({ member, expected }) => `${member}: expected ${expected}`).join('; ');
  const sent = first?.sent === undefined ? undefined : `${first.member} ${first.sent}`;
  const details = defined({ sent, expected: first?.expected }); // a caller has a value for `sent`, too
  return first?.member.startsWith('redirect_uris')
    ? invalidRedirectUri('redirect_uri_unusable', described, details)
    : invalidClientMetadata('client_metadata_invalid', described, details);
}

/** Names of the machine itself (RFC 8252 §7.3, §8.3). */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopbackUrl(uri: string): boolean {
  return URL.canParse(uri) && loopbackHosts.has(new URL(uri).hostname);
}

/**
 * Refuses registration of a value that this issuer does not advertise.
 * @throws invalid_client_metadata
 */
function checkOffered(server: AuthorizationServer, client: RegisteredClient): void {
  const types = responseTypesSupported(server);
  const implicit = types.some(type => type !== 'code') ? ['implicit'] : [];
  const { authorization_details_types: details = [] } = client;
  checkEach('grant_types', client.grant_types, [...grantsForStrangers(server), ...implicit]);
  checkEach('response_types', client.response_types, types);
  checkEach('authorization_details_types', details, [...server.authorizationDetailsTypes.keys()]);
  checkAlgs(server, client);
  const { initiate_login_uri: initiate } = client;
  if (initiate === undefined || isSecureOrLocal(initiate)) return;
  throw invalidClientMetadata('client_metadata_invalid', 'initiate_login_uri: expected an https address', {
    sent: shorten(initiate, 500),
    expected: 'https, or http on a loopback host',
  });
}

/**
 * Refuses an authentication method that this issuer does not advertise. A name that is not a method at all is reported
 * with the other format errors.
 * @throws invalid_client_metadata
 */
function checkMethodOffered(server: AuthorizationServer, method: string): void {
  if (!tokenEndpointAuthMethods.some(known => known === method)) return;
  checkEach('token_endpoint_auth_method', [method], supportedAuthMethods(server));
}

/** The grants of clients that register themselves: all but `password` (RFC 9700 §2.4). */
export function grantsForStrangers({ grants, features }: AuthorizationServer): readonly string[] {
  const offered = [...grants.values()].filter(({ feature }) => feature === undefined || features.has(feature));
  return offered.map(({ grantType }) => grantType).filter(grantType => grantType !== 'password');
}

function checkAlgs(server: AuthorizationServer, client: RegisteredClient): void {
  for (const member of asymmetricMembers) checkEach(member, [client[member] ?? []].flat(), asymmetricAlgs(server));
  const { token_endpoint_auth_signing_alg: alg, token_endpoint_auth_methods: methods } = client;
  checkEach('token_endpoint_auth_signing_alg', [alg ?? []].flat(), assertionAlgs(server, methods));
}

const asymmetricMembers = [
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
  'request_object_signing_alg',
  'backchannel_authentication_request_signing_alg',
] as const;

function checkEach(member: string, asked: readonly string[], offered: readonly string[]): void {
  const foreign = asked.find(value => !offered.includes(value));
  if (foreign === undefined) return;
  const expected = offered.join(', ');
  const description = `${member}: ${shorten(foreign, 100)} is not supported; supported: ${expected}`;
  throw invalidClientMetadata('client_metadata_invalid', description, { sent: shorten(foreign), expected });
}

/**
 * Checks the redirect URIs of a client that registers itself. The rules are stricter than for a configured client,
 * because no developer vouches for it (RFC 8252 §7, OIDC Registration §2 on `application_type`).
 * @throws invalid_redirect_uri
 */
function checkRedirectUris({ redirect_uris, application_type, grant_types }: RegisteredClient): void {
  for (const uri of redirect_uris) {
    const expected = redirectProblem(uri, application_type === 'native', grant_types.includes('implicit'));
    if (expected === undefined) continue;
    const details = { sent: shorten(uri, 500), expected };
    throw invalidRedirectUri('redirect_uri_unusable', `redirect_uris: expected ${expected}`, details);
  }
}

function redirectProblem(uri: string, isNative: boolean, isImplicit: boolean): string | undefined {
  if (/^https:/i.test(uri)) {
    return !isNative && isImplicit && isLoopbackUrl(uri)
      ? 'a host other than localhost, because of the implicit grant'
      : undefined;
  }
  if (!/^http:/i.test(uri)) return isNative ? undefined : 'an https address, because application_type is not native';
  if (!isLoopbackUrl(uri)) return 'https, because http is only for loopback hosts';
  return !isNative && isImplicit ? 'https, because of the implicit grant of a web app' : undefined;
}

/**
 * OIDC Front-Channel Logout §2: the page that our logout page frames must have the origin of a redirect URI, so that it
 * belongs to the application the user knows.
 * @throws invalid_client_metadata
 */
function checkLogoutFrame({ frontchannel_logout_uri: uri, redirect_uris }: RegisteredClient): void {
  if (uri === undefined) return;
  const { origin } = new URL(uri);
  if (redirect_uris.some(redirect => new URL(redirect).origin === origin)) return;
  const expected = 'the scheme, host and port of one of redirect_uris';
  throw invalidClientMetadata('client_metadata_invalid', `frontchannel_logout_uri: expected ${expected}`, {
    sent: shorten(uri, 500),
    expected,
  });
}

/** True for https, and for http on this machine. */
function isSecureOrLocal(uri: string): boolean {
  return /^https:/i.test(uri) || isLoopbackUrl(uri);
}

/**
 * Checks that the document of a sector lists each redirect URI of the client (OIDC Registration §5). Otherwise any client
 * could join any sector.
 * @throws invalid_client_metadata
 */
async function checkSectorDocument(server: AuthorizationServer, client: RegisteredClient): Promise<void> {
  const { client_id, sector_identifier_uri: uri, redirect_uris } = client;
  if (uri === undefined) return;
  if (!isSecureOrLocal(uri)) {
    throw invalidClientMetadata('sector_document_unusable', 'sector_identifier_uri: it is not an https address', {
      sent: shorten(uri, 500),
      expected: 'https, or http on a loopback host',
    });
  }
  const document = { name: `sector ${uri}`, url: uri, client_id };
  const listed = await fetchInTurn(server, document, () => readSectorDocument(outboundFor(server, client), uri));
  const missing = redirect_uris.find(redirect => !listed.includes(redirect));
  if (missing !== undefined) throw unusable(uri, `its document does not list ${shorten(missing, 500)}`);
}

async function readSectorDocument(outbound: Outbound, uri: string): Promise<readonly unknown[]> {
  const headers = { Accept: 'application/json' };
  const { status, body } = await getDocument(outbound, uri, { headers }, (met, cause) => unusable(uri, met, cause));
  if (status !== 200) throw unusable(uri, `it answers with status ${status}`);
  const listed = jsonIn(body);
  if (!Array.isArray(listed)) throw unusable(uri, 'its document is not a JSON array');
  return listed;
}

/** All failures give the same answer, so that it reveals nothing about our network; the log has the cause. */
function unusable(uri: string, met: string, cause?: unknown): OAuthError {
  const description = 'sector_identifier_uri: its document cannot be read, or does not list all redirect_uris';
  return invalidClientMetadata('sector_document_unusable', description, {
    sent: shorten(uri, 500),
    expected: 'a JSON array with all redirect_uris',
    met,
    cause,
  });
}

const readable = ['client_name', 'client_uri', 'logo_uri', 'policy_uri', 'tos_uri'];

const localizedName = /^([a-z_]+)#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$/;

const mostLanguages = 100;

/**
 * The members of metadata in other languages, such as `client_name#de`. They are kept and returned; other names with a
 * `#` are ignored.
 * @throws invalid_client_metadata for a value that the member without a language could not have either
 */
export function localizedMembers(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(metadata)) {
    const member = localizedName.exec(name)?.[1] ?? '';
    if (!readable.includes(member) || value === null) continue;
    if (typeof value !== 'string' || value === '' || (member.endsWith('_uri') && !isWebUrl(value))) {
      const expected = member.endsWith('_uri') ? 'an absolute http or https URL' : 'text that is not empty';
      const details = { sent: describeValue(value, 500), expected };
      throw invalidClientMetadata('client_metadata_invalid', `${shorten(name, 100)}: expected ${expected}`, details);
    }
    found[name] = value;
  }
  const count = Object.keys(found).length;
  if (count <= mostLanguages) return found;
  const description = `there are ${count} members in other languages: expected at most ${mostLanguages}`;
  throw invalidClientMetadata('client_metadata_invalid', description);
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && URL.canParse(text);
}
