import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { type InputFault, invalidClientMetadata, invalidRedirectUri, type OAuthError } from '../errors.ts';
import { beginKeys } from '../response-algs.ts';
import { parseScope } from '../scope.ts';
import { type RegisteredClient, secretMethods } from './client.ts';
import { type ClientMember, clientMembers } from './client-members.ts';
import { checkLogoutFrame, checkMethodOffered, checkOffered, checkRedirectUris } from './client-metadata-rules.ts';
import { checkSectorDocument } from './sector-identifier.ts';

/** Metadata a client may register. All other members, our own extensions included, are ignored as unknown. */
const members = Object.entries<ClientMember>(clientMembers).filter(([, { isOurs }]) => isOurs !== true);

/** The members this issuer supports for a client with this scope: without `openid` there are no ID Tokens. */
export function knownMembers({ features }: AuthorizationServer, scope: unknown): readonly string[] {
  const isOpenId = typeof scope !== 'string' || parseScope(scope).includes('openid');
  const known = members.filter(([name, { needs = [] }]) => {
    const isOn = [needs].flat().every(feature => features.has(feature));
    return isOn && (isOpenId || name !== 'id_token_signed_response_alg');
  });
  return known.map(([name]) => name);
}

/** Members the server assigns to a client; the client cannot ask for them. */
interface GivenMetadata {
  readonly client_id: string;
  readonly client_secret?: string | undefined;
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
  if ('faults' in read) throw refusal(read.faults);
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

/** All faults in one sentence; the first fault decides the error code. */
function refusal(faults: readonly InputFault[]): OAuthError {
  const [first] = faults;
  const described = faults.map(({ member, expected }) => `${member}: expected ${expected}`).join('; ');
  const sent = first?.sent === undefined ? undefined : `${first.member} ${first.sent}`;
  const details = defined({ sent, expected: first?.expected });
  return first?.member.startsWith('redirect_uris')
    ? invalidRedirectUri('redirect_uri_unusable', described, details)
    : invalidClientMetadata('client_metadata_invalid', described, details);
}
