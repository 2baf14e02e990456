import { isPublic, type RegisteredClient } from '../../../oauth/clients/client.ts';
import { parseScope } from '../../../oauth/scope.ts';
import { displayName, type TestUser } from '../../../oauth/users/user.ts';
import type { SampleCollection } from '../../dashboard-options.ts';
import { example } from '../../tokens/token-call.ts';
import type { ApiFacts, ConnectFacts, Reach, ServerAddresses, SnippetClient, UserFacts } from './facts.ts';

/** What the facts are made of. */
export interface ConnectSources {
  readonly issuer: string;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly collections: readonly SampleCollection[];
  /** With the path of the issuer. */
  readonly endpoints: readonly { readonly name: string; readonly path: string }[];
  readonly reach: Reach;
}

/** The facts, with the clients that fit; `chosen` goes before all others wherever it fits. */
export function connectFacts(sources: ConnectSources, chosen?: string): ConnectFacts {
  const { issuer, users, reach } = sources;
  const { protocol, port, origin } = new URL(issuer);
  const { spa, web, machine } = fittingClients(sources.clients, chosen);
  const user = users.find(({ isVisitor }) => isVisitor === undefined);
  return {
    ...reachFacts(reach),
    issuer,
    at: addresses(sources, origin),
    behind: addresses(sources, reach.backchannelUrl ?? origin),
    isPlainHttp: protocol === 'http:',
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...named('spa', spa && clientFacts(spa)),
    ...named('web', web && clientFacts(web)),
    ...named('machine', machine && clientFacts(machine)),
    ...named('api', apiFor(sources, spa ?? web)),
    ...named('machineApi', apiFor(sources, machine)),
    ...named('user', user && userFacts(user)),
  };
}

/** The facts for a page that others look at, too. */
export function withoutSecrets(facts: ConnectFacts): ConnectFacts {
  const { spa, web, machine, user } = facts;
  const hidden = (client: SnippetClient | undefined) =>
    client?.client_secret === undefined ? client : { ...client, client_secret: placeholder };
  return {
    ...facts,
    ...named('spa', hidden(spa)),
    ...named('web', hidden(web)),
    ...named('machine', hidden(machine)),
    ...named('user', user && { ...user, password: placeholder }),
  };
}

const placeholder = '***';

function reachFacts({ backchannelUrl, hasOwnCa, configFile, loginMode, canRegister }: Reach) {
  return {
    ...named('backchannelUrl', backchannelUrl),
    ...named('configFile', configFile),
    ...{ hasOwnCa, loginMode, canRegister },
  };
}

function userFacts(user: TestUser): UserFacts {
  return { sub: user.sub, username: user.username, password: user.password ?? 'any', name: displayName(user) };
}

/** A member that is there where there is a value. */
function named<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}

/** Which client to show for what: a front end has no secret, an application on a server has one if there is such a client. */
function fittingClients(clients: readonly RegisteredClient[], chosen: string | undefined) {
  const isChosen = ({ client_id }: RegisteredClient) => client_id === chosen;
  const inOrder = [...clients.filter(isChosen), ...clients.filter(client => !isChosen(client))];
  const usable = inOrder.filter(client => methodOf(client) !== undefined);
  const logsIn = usable.filter(({ grant_types }) => grant_types.includes('authorization_code'));
  const withSecret = logsIn.find(client => !isPublic(client));
  const [first] = logsIn;
  return {
    spa: logsIn.find(isPublic),
    web: first !== undefined && isChosen(first) ? first : (withSecret ?? first),
    machine: usable.find(client => !isPublic(client) && client.grant_types.includes('client_credentials')),
  };
}

/** The clients that a snippet can be made for. */
export function usableClients(clients: readonly RegisteredClient[]): readonly RegisteredClient[] {
  const kinds = ['authorization_code', 'client_credentials'];
  return clients.filter(
    client => methodOf(client) !== undefined && client.grant_types.some(type => kinds.includes(type)),
  );
}

/** Undefined where it authenticates with keys or certificates, which nobody can paste. */
function methodOf(client: RegisteredClient): SnippetClient['method'] | undefined {
  if (isPublic(client)) return 'none';
  const pasted = ['client_secret_basic', 'client_secret_post'] as const;
  return pasted.find(method => client.token_endpoint_auth_methods.includes(method));
}

/** Where a front end mostly is while it is developed. */
const usualCallback = 'http://localhost:3000/callback';

function clientFacts(client: RegisteredClient): SnippetClient {
  const { client_id, client_secret, redirect_uris, post_logout_redirect_uris, loopback_redirects } = client;
  const web = redirect_uris.find(uri => /^https?:/i.test(uri));
  return {
    client_id,
    ...named('client_secret', client_secret),
    method: methodOf(client) ?? 'none',
    redirectUri: web ?? (loopback_redirects ? usualCallback : (redirect_uris[0] ?? '')),
    anyLoopback: loopback_redirects,
    ...named('postLogoutUri', post_logout_redirect_uris[0]),
    scope: client.scope,
    isOpenId: parseScope(client.scope).includes('openid'),
    audience: client.audience[0] ?? client_id,
    isOpaque: client.access_token_format === 'opaque',
  };
}

/** The first collection the client's scopes open, for reading if possible. */
function apiFor({ issuer, collections }: ConnectSources, client: RegisteredClient | undefined): ApiFacts | undefined {
  const scopes = parseScope(client?.scope ?? '');
  const opens = (scope: string | undefined): scope is string => scope !== undefined && scopes.includes(scope);
  const url = ({ name }: SampleCollection) => `${issuer}/api/${encodeURIComponent(name)}`;
  for (const collection of collections) {
    const { readScope } = collection;
    if (opens(readScope)) return { url: url(collection), scope: readScope, method: 'GET', body: '' };
  }
  for (const collection of collections) {
    const { writeScope } = collection;
    if (!opens(writeScope)) continue;
    return { url: url(collection), scope: writeScope, method: 'POST', body: JSON.stringify(example(collection)) };
  }
  return undefined;
}

function addresses({ issuer, endpoints }: ConnectSources, origin: string): ServerAddresses {
  const at = (name: string) => origin + (endpoints.find(endpoint => endpoint.name === name)?.path ?? '');
  const base = new URL(issuer).pathname.replace(/\/$/, '');
  return {
    token: at('token'),
    jwks: at('jwks'),
    authorize: at('authorize'),
    discovery: `${origin}${base}/.well-known/openid-configuration`,
  };
}
