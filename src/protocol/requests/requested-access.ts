import { editDistance } from '../../base/text/nearest.ts';
import type { Authorization, AuthorizationDetail, Redemption } from '../authorization.ts';
import type { AuthorizationServer, TokenRequest } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { invalidScope, invalidTarget } from '../errors.ts';
import { parameter, shorten } from '../parameters.ts';
import { foreignScopes, parseScope, scopeToken } from '../scope.ts';
import { narrowAuthorizationDetails, parseAuthorizationDetails } from './authorization-details-parameter.ts';

// The access a client asks for at any endpoint: scopes, resources and authorization details.

type ScopeRules = Pick<AuthorizationServer, 'scopes' | 'dialect'>;

/**
 * The scopes of a request: those that the client asks for, with its default scopes; most clients have none.
 * @throws invalid_scope
 */
export function requestedScopes(server: ScopeRules, client: RegisteredClient, scope: string | undefined): string[] {
  const asked = askedScopes(server, client, scope);
  const { dialect } = server;
  if (client.default_scope === undefined && dialect?.scopes === undefined) return asked;
  const registered = parseScope(client.scope);
  const always = parseScope(client.default_scope).filter(name => registered.includes(name));
  if (dialect?.scopes !== undefined) return dialect.scopes(asked, always);
  return always.length === 0 ? asked : [...new Set([...asked, ...always])];
}

/**
 * The scopes that a client asks for. If one of them is not registered for it, the whole request is refused (RFC 6749
 * §3.3). With `CLIENTS=any` a client may ask for any scope.
 * @throws invalid_scope
 */
export function askedScopes(
  { scopes, dialect }: ScopeRules,
  client: RegisteredClient,
  scope: string | undefined,
): string[] {
  const asked = parseScope(scope);
  const malformed = asked.find(token => !scopeToken.test(token));
  if (malformed !== undefined) {
    const description = 'scope contains characters that are not allowed';
    throw invalidScope('scope_malformed', description, {
      sent: shorten(malformed),
      expected: 'printable ASCII without quotes',
    });
  }
  if (client.origin === 'any') return asked;
  const registered = parseScope(client.scope);
  const foreign = foreignScopes(asked, [...registered, ...(dialect?.openScopes ?? [])]);
  if (foreign.length > 0) {
    throw invalidScope('scope_not_registered', foreignWords(foreign, scopes), {
      sent: shorten(foreign.join(' ')),
      expected: client.scope || 'no scope',
    });
  }
  return asked;
}

/** A scope that nobody defines is named apart: it is misspelt, or its definition is missing. */
function foreignWords(foreign: readonly string[], defined: ScopeRules['scopes']): string {
  const unregistered = foreign.filter(name => defined.has(name));
  const unknown = foreign.filter(name => !defined.has(name));
  const isList = unknown.some(name => name.includes(','));
  const remedy = isList ? 'spaces separate scopes' : 'to define it, add it to scopes in the configuration';
  return [
    ...(unregistered.length === 0 ? [] : [`not registered for this client: ${shorten(unregistered.join(' '))}`]),
    ...(unknown.length === 0 ? [] : [`unknown scope: ${shorten(unknown.join(' '))}; ${remedy}`]),
  ].join('; ');
}

/**
 * RFC 8707 §2: absolute URIs without a fragment; at the token endpoint only some of those granted. Any URI is accepted,
 * because the users of the sandbox bring their own APIs, unless it is nearly a configured one or the configuration says
 * otherwise, or a dialect has a list of its APIs, whose names may be any text.
 * @throws invalid_target
 */
export function checkResources(
  server: AuthorizationServer,
  resources: readonly string[],
  granted: readonly string[] = [],
): readonly string[] {
  for (const resource of resources) {
    const isKnown = server.dialect?.knowsResource?.(server, resource);
    if (isKnown === false) {
      throw invalidTarget('resource_unknown', 'no API of this server has this identifier', { sent: shorten(resource) });
    }
    if (isKnown) continue;
    if (!URL.canParse(resource) || resource.includes('#')) {
      const description = 'resource must be an absolute URI without a fragment';
      throw invalidTarget('resource_invalid', description, {
        sent: shorten(resource),
        expected: 'https://api.example',
      });
    }
    if (!granted.includes(resource)) checkConfigured(server, resource);
  }
  if (resources.length === 0) return granted;
  const [foreign] = granted.length === 0 ? [] : foreignScopes(resources, granted);
  if (foreign !== undefined) {
    const description = 'resource was not in the authorization request';
    throw invalidTarget('resource_invalid', description, { sent: shorten(foreign), expected: granted.join(' ') });
  }
  return [...new Set(resources)];
}

/** @throws invalid_target */
function checkConfigured(server: AuthorizationServer, resource: string): void {
  const { unknownResources, profile, dialect, dropIns } = server;
  const isStrict = unknownResources === 'refuse' || profile === 'fapi2';
  if (!isStrict && (dialect !== undefined || dropIns?.anyClient)) return;
  const configured = configuredResources(server);
  if (configured.includes(resource)) return;
  const meant = meantResource(resource, configured);
  if (meant === undefined && !isStrict) return;
  throw invalidTarget('resource_unknown', 'no API of this server has this identifier', {
    sent: shorten(resource),
    expected: meant ?? shorten(configured.join('\n'), 500),
  });
}

type Asking = Pick<TokenRequest, 'server' | 'client' | 'parameters'>;

/**
 * The `authorization_details` of a token request (RFC 9396 §5).
 * @throws invalid_authorization_details
 */
export async function requestedDetails({
  server,
  client,
  parameters,
}: Asking): Promise<readonly AuthorizationDetail[] | undefined> {
  const text = server.features.has('rar') ? parameter(parameters, 'authorization_details') : undefined;
  if (text === undefined) return undefined;
  return parseAuthorizationDetails(server, client, text);
}

/**
 * The part of the granted details that a token is for (RFC 9396 §6); empty if the request names none.
 * @throws invalid_authorization_details if the request asks for more than was granted
 */
export async function narrowedDetails(
  request: Asking,
  { authorization_details: granted }: Authorization,
): Promise<Pick<Redemption, 'authorization_details'>> {
  const asked = await requestedDetails(request);
  if (asked === undefined) return {};
  return { authorization_details: narrowAuthorizationDetails(asked, granted) };
}

/** Clients that told themselves what they are. */
const strangers: readonly string[] = ['registration', 'metadata_document'];

/** Identifiers of the APIs that the configuration names: those of the sandbox, and the audiences of clients, rules and keys. */
export function configuredResources(server: AuthorizationServer): readonly string[] {
  const { clients, protectedResources, tokenRules, dropIns } = server;
  return [
    ...protectedResources.map(({ resource }) => resource),
    ...[...clients.values()].flatMap(client => (strangers.includes(client.origin) ? [] : client.audience)),
    ...(tokenRules?.templates ?? []).flatMap(({ audience = [] }) => audience),
    ...Object.keys(dropIns?.accessTokenKeys ?? {}),
  ];
}

/** The configured identifier that was probably meant: one that is spelt differently, or with a letter too many, too few or swapped. */
export function meantResource(sent: string, configured: readonly string[]): string | undefined {
  return (
    configured.find(each => spelling(each) === spelling(sent)) ?? configured.find(each => isOneLetterOff(each, sent))
  );
}

/** Without what people get wrong: scheme, case, usual port, slash at the end. */
function spelling(uri: string): string {
  return uri
    .toLowerCase()
    .replace(/^https?:/, '')
    .replace(/^(\/\/[^/]+):(80|443)(?=\/|$)/, '$1')
    .replace(/\/+$/, '');
}

const longest = 200;

/** A replaced letter and a digit are no typing error: `api-a` and `api-b`, and `v1` and `v11`, may both exist. */
function isOneLetterOff(one: string, other: string): boolean {
  if (one.length > longest || Math.abs(one.length - other.length) > 1 || editDistance(one, other) !== 1) return false;
  if (one.length === other.length) return [...one].sort().join('') === [...other].sort().join('');
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const place = [...long].findIndex((letter, index) => letter !== short[index]);
  return /[a-z]/i.test(long[place] ?? '');
}
