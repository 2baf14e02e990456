import { defined } from '../../base/defined.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { displayName, type TestUser } from '../../protocol/users/user.ts';
import type { DashboardOptions, ProviderFacts } from '../../sandbox/dashboard.ts';
import type { ApiFacts, ServerAddresses, SnippetClient, SnippetFacts, UserFacts } from '../snippets/facts.ts';
import { discoveryPath } from '../snippets/words.ts';
import { example, openedBy } from '../tokens/token-call.ts';

/** The sources of the facts. Paths of endpoints include the path of the issuer. */
export interface ConnectSources extends Pick<DashboardOptions, 'issuer' | 'collections' | 'reach'> {
  /** The issuer identifier; absent: the address. */
  readonly iss?: string;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly endpoints: readonly { readonly name: string; readonly path: string }[];
}

/** The facts, with the best client for each kind of snippet. `chosen` is used wherever it fits. */
export function connectFacts(sources: ConnectSources, chosen?: string): SnippetFacts {
  const { issuer, iss = issuer, users } = sources;
  const { backchannelUrl, hasOwnCa, configFile, loginMode, canRegister, provider } = sources.reach;
  const factsOf = (client: RegisteredClient) => clientFacts(client, provider);
  const { origin } = new URL(issuer);
  const { spa, web, keyed, machine } = fittingClients(sources.clients, chosen);
  const user = users.find(({ isVisitor }) => isVisitor === undefined);
  return {
    issuer,
    iss,
    at: addresses(sources, origin),
    behind: addresses(sources, backchannelUrl ?? origin),
    hasOwnCa,
    loginMode,
    canRegister,
    ...defined({
      backchannelUrl,
      configFile,
      provider,
      spa: spa && factsOf(spa),
      web: web && factsOf(web),
      keyed: keyed && factsOf(keyed),
      machine: machine && factsOf(machine),
      api: apiFor(sources, spa ?? web),
      machineApi: apiFor(sources, machine),
      user: user && userFacts(user),
    }),
  };
}

/** The facts for a page that hides secrets. */
export function withoutSecrets(facts: SnippetFacts): SnippetFacts {
  const { spa, web, keyed, machine, user } = facts;
  const hidden = (client: SnippetClient | undefined) =>
    client?.client_secret === undefined ? client : { ...client, client_secret: placeholder };
  return {
    ...facts,
    ...defined({
      spa: hidden(spa),
      web: hidden(web),
      keyed: hidden(keyed),
      machine: hidden(machine),
      user: user && { ...user, password: placeholder },
    }),
  };
}

const placeholder = '***';

function userFacts(user: TestUser): UserFacts {
  return { sub: user.sub, username: user.username, password: user.password ?? 'any', name: displayName(user) };
}

/** Chooses a client per kind: a front end has no secret; a web application has one if such a client exists. */
function fittingClients(clients: readonly RegisteredClient[], chosen: string | undefined) {
  const isChosen = ({ client_id }: RegisteredClient) => client_id === chosen;
  const inOrder = [...clients.filter(isChosen), ...clients.filter(client => !isChosen(client))];
  const usable = inOrder.filter(client => methodOf(client) !== undefined);
  const doesLogIn = ({ grant_types }: RegisteredClient) => grant_types.includes('authorization_code');
  const logsIn = usable.filter(doesLogIn);
  const withSecret = logsIn.find(client => !isPublic(client));
  const [first] = logsIn;
  return {
    spa: logsIn.find(isPublic),
    web: first !== undefined && isChosen(first) ? first : (withSecret ?? first),
    keyed: inOrder.find(
      client =>
        doesLogIn(client) && !usable.includes(client) && client.token_endpoint_auth_methods.includes('private_key_jwt'),
    ),
    machine: usable.find(client => !isPublic(client) && client.grant_types.includes('client_credentials')),
  };
}

/** Clients that fit at least one snippet. */
export function usableClients(clients: readonly RegisteredClient[]): readonly RegisteredClient[] {
  const kinds = ['authorization_code', 'client_credentials'];
  return clients.filter(
    client => methodOf(client) !== undefined && client.grant_types.some(type => kinds.includes(type)),
  );
}

/** Undefined for clients that authenticate with a key or certificate, because a snippet cannot contain one. */
function methodOf(client: RegisteredClient): SnippetClient['method'] | undefined {
  if (isPublic(client)) return 'none';
  const pasted = ['client_secret_basic', 'client_secret_post'] as const;
  return pasted.find(method => client.token_endpoint_auth_methods.includes(method));
}

/** The usual callback of a front end in development. */
const usualCallback = 'http://localhost:3000/callback';

function clientFacts(client: RegisteredClient, provider: ProviderFacts | undefined): SnippetClient {
  const { client_id, client_secret, redirect_uris, post_logout_redirect_uris, loopback_redirects } = client;
  const web = redirect_uris.find(uri => /^https?:/i.test(uri));
  return {
    client_id,
    method: methodOf(client) ?? 'none',
    redirectUri: web ?? (loopback_redirects ? usualCallback : (redirect_uris[0] ?? '')),
    anyLoopback: loopback_redirects,
    scope: client.scope,
    isOpaque: client.access_token_format === 'opaque',
    // a provider has its own rules for tokens of a client without a configured audience
    ...defined({ audience: client.audience[0] ?? (provider === undefined ? client_id : undefined) }),
    ...defined({ client_secret, postLogoutUri: post_logout_redirect_uris[0] }),
  };
}

/** The first collection the client's scopes allow, for reading if possible. */
function apiFor({ issuer, collections }: ConnectSources, client: RegisteredClient | undefined): ApiFacts | undefined {
  const opened = openedBy(client?.scope, collections);
  if (opened === undefined) return undefined;
  const { collection, scope, method } = opened;
  const url = `${issuer}/api/${encodeURIComponent(collection.name)}`;
  return { url, scope, method, body: method === 'GET' ? '' : JSON.stringify(example(collection)) };
}

function addresses({ issuer, iss = issuer, endpoints }: ConnectSources, origin: string): ServerAddresses {
  const at = (name: string) => origin + (endpoints.find(endpoint => endpoint.name === name)?.path ?? '');
  return {
    token: at('token'),
    jwks: at('jwks'),
    authorize: at('authorize'),
    discovery: origin + discoveryPath(issuer, iss),
  };
}
