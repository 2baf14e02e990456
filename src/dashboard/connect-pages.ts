import type { Router } from 'express';
import { ago } from '../base/text/duration.ts';
import { inTurns } from '../base/turns.ts';
import { isPublic, type RegisteredClient } from '../protocol/clients/client.ts';
import { displayName, type TestUser } from '../protocol/users/user.ts';
import { diagnoseHosts } from '../record/flows/host-diagnosis.ts';
import { type HostFact, type HostUse, hostFacts } from '../record/flows/hosts.ts';
import { createProgress, type ProgressStep } from '../record/progress.ts';
import type { DashboardFacts, ProviderFacts } from './facts.ts';
import type { PageContext } from './page.ts';
import { areSecretsHidden, textOf } from './query.ts';
import {
  type ApiFacts,
  discoveryPath,
  type ServerAddresses,
  type SnippetClient,
  type SnippetFacts,
  type UserFacts,
} from './snippets/snippet-facts.ts';
import { snippets } from './snippets/snippets.ts';
import { example, openedBy } from './tokens/token-use.ts';

/** The groups of snippets, in the order of the page. */
export const familyTitles: Readonly<Record<string, string>> = {
  browser: 'In the browser',
  web: 'Web app',
  api: 'API that receives tokens',
  terminal: 'Terminal and scripts',
  mcp: 'MCP server',
  containers: 'Containers and pipelines',
  tests: 'Browser tests',
};

interface ConnectQuery {
  readonly client?: string | undefined;
  readonly open?: string | undefined;
  readonly areSecretsHidden: boolean;
}

async function connectPage(
  options: DashboardFacts,
  progress: readonly ProgressStep[],
  { client, open, areSecretsHidden }: ConnectQuery,
) {
  const facts = factsOf(options, { client, areSecretsHidden });
  const all = await snippets(facts);
  const opened = all.find(({ id }) => id === open) ?? all[0];
  const clients = usableClients([...options.registered()]);
  return {
    progress,
    clients: clients.map(({ client_id }) => ({ client_id, isChosen: client_id === client })),
    // the client of the browser snippets, if it accepts any loopback address; else empty
    loopbackClient: loopbackClient(facts),
    families: Object.entries(familyTitles)
      .map(([id, title]) => ({
        id,
        title,
        snippets: all.filter(({ family }) => family === id).map(each => ({ ...each, isOpen: each === opened })),
      }))
      .filter(({ snippets: some }) => some.length > 0),
    hosts: await inTurns(hostsOf(options)),
    endpoints: options.endpoints,
  };
}

/** The client that accepts any loopback address as its redirect URI; empty for none. */
export function loopbackClient({ spa }: SnippetFacts): string {
  return spa?.anyLoopback === true ? spa.client_id : '';
}

/** The facts that snippets are made from: the current clients and users. */
export function factsOf(
  options: DashboardFacts,
  { client, areSecretsHidden }: Pick<ConnectQuery, 'client' | 'areSecretsHidden'>,
): SnippetFacts {
  const { issuer, iss, collections, endpoints, reach } = options;
  const [clients, users] = [[...options.registered()], [...options.accounts()]];
  const facts = connectFacts({ issuer, iss, clients, users, collections, endpoints, reach }, client);
  return areSecretsHidden ? withoutSecrets(facts) : facts;
}

/** Computed for each view, because the history is bounded and the page is rarely opened. */
function* hostsOf({ events, clock, issuer, iss, base, endpoints, reach }: DashboardFacts) {
  const backchannelUrl = reach.backchannelUrl === undefined ? '' : reach.backchannelUrl + base;
  const own = { issuer, ...(backchannelUrl === '' ? {} : { backchannelUrl }) };
  const facts = yield* hostFacts(events.latest('request.completed', Number.POSITIVE_INFINITY), own);
  const jwksPath = endpoints.find(({ name }) => name === 'jwks')?.path ?? '';
  const { allowedHosts, scheme } = reach;
  const diagnoses = diagnoseHosts(facts, { ...own, allowedHosts, scheme, jwksPath });
  const problems = new Set(diagnoses.filter(({ isProblem }) => isProblem).map(({ host }) => host)).size;
  return { iss, backchannelUrl, rows: hostRows(facts, clock()), diagnoses, problems };
}

const callers = { browser: 'Browser', backend: 'Back end', tool: 'Tool' } as const;
const mostCalls = 3;

function hostRows(facts: readonly HostFact[], now: number) {
  return facts.flatMap(fact =>
    fact.uses.map(use => ({
      host: fact.host,
      who: use.agent === '' ? callers[use.caller] : `${callers[use.caller]}, ${use.agent}`,
      // `GET /oauth2/jwks 12 times, POST /oauth2/token, 2 more`
      what: callsOf(use),
      when: ago(now - use.lastAt),
      requestId: use.requestId,
      ...stateOf(fact, use),
    })),
  );
}

function callsOf({ calls }: HostUse): string {
  const shown = calls.slice(0, mostCalls).map(({ method, path, count }) => `${method} ${path}${times(count)}`);
  const more = calls.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}

function times(count: number): string {
  return count === 1 ? '' : ` ${count} times`;
}

function stateOf({ side, isServed }: HostFact, use: HostUse) {
  if (!isServed) return { level: 'fail', state: 'refused' };
  if (side === 'issuer') return { level: 'pass', state: 'issuer' };
  if (side === 'backchannel') return { level: 'pass', state: 'back channel' };
  return { level: isHarmless(use) ? 'note' : 'fail', state: 'differs' };
}

/** Requests by hand, such as from curl, need no comparison. A back end that reads no metadata has its addresses from elsewhere. */
function isHarmless({ caller, calls }: HostUse): boolean {
  return caller === 'tool' || (caller === 'backend' && calls.every(({ endpoint }) => endpoint !== 'discovery'));
}

/** The sources of the facts. Paths of endpoints include the path of the issuer. */
export interface ConnectSources extends Pick<DashboardFacts, 'issuer' | 'collections' | 'reach'> {
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
  };
}

function withoutSecrets(facts: SnippetFacts): SnippetFacts {
  const { spa, web, keyed, machine, user } = facts;
  const hidden = (client: SnippetClient | undefined) =>
    client?.client_secret === undefined ? client : { ...client, client_secret: placeholder };
  return {
    ...facts,
    spa: hidden(spa),
    web: hidden(web),
    keyed: hidden(keyed),
    machine: hidden(machine),
    user: user && { ...user, password: placeholder },
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
    audience: client.audience[0] ?? (provider === undefined ? client_id : undefined),
    client_secret,
    postLogoutUri: post_logout_redirect_uris[0],
  };
}

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

/** `/connect`: snippets to paste, and the host names that clients use. */
export function connectPages(router: Router, context: PageContext): void {
  const progress = createProgress(context.events);
  router.get('/connect', async (req, res) => {
    const model = await connectPage(context, progress(), {
      client: textOf(req.query.client),
      open: textOf(req.query.open),
      areSecretsHidden: areSecretsHidden(context, req),
    });
    await context.show(res, { template: 'connect', title: 'Connect an app', nav: 'connect', model });
  });
}
