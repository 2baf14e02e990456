import { diagnoseHosts } from '../../flows/host-diagnosis.ts';
import { hostFacts } from '../../flows/hosts.ts';
import type { SnippetFacts } from '../../snippets/facts.ts';
import { snippets } from '../../snippets/snippets.ts';
import { inTurns } from '../../turns/in-turns.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import type { ProgressStep } from '../home/progress.ts';
import { connectFacts, usableClients, withoutSecrets } from './connect-facts.ts';
import { hostRows } from './host-rows.ts';

/** What the page shows together, in its order. */
export const familyTitles: Readonly<Record<string, string>> = {
  browser: 'In the browser',
  web: 'Web application',
  api: 'API that receives tokens',
  terminal: 'Terminal and scripts',
  mcp: 'MCP server',
  containers: 'Containers and pipelines',
  tests: 'Browser tests',
};

/** What was asked for in the address of the page. */
export interface ConnectQuery {
  /** A `client_id` that the snippets shall be for. */
  readonly client?: string | undefined;
  /** The snippet to show first. */
  readonly open?: string | undefined;
  readonly areSecretsHidden: boolean;
}

/** Everything there is to paste, and who reaches this server by which name. */
export async function connectPage(
  options: DashboardOptions,
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
    // the client in snippets for browsers, where any address of this machine is a redirect URI of it; else empty
    loopbackClient: loopbackClient(facts),
    families: Object.entries(familyTitles)
      .map(([id, title]) => ({
        id,
        title,
        snippets: all.filter(({ family }) => family === id).map(each => ({ ...each, isOpen: each === opened })),
      }))
      .filter(({ snippets: some }) => some.length > 0),
    hosts: await inTurns(hostsOf(options)),
  };
}

/** The client whose redirect URIs are relaxed to any loopback address; empty where there is none. */
export function loopbackClient({ spa }: SnippetFacts): string {
  return spa?.anyLoopback === true ? spa.client_id : '';
}

/** What snippets are made of: the clients and users there are now. */
export function factsOf(
  options: DashboardOptions,
  { client, areSecretsHidden }: Pick<ConnectQuery, 'client' | 'areSecretsHidden'>,
): SnippetFacts {
  const { issuer, collections, endpoints, reach } = options;
  const [clients, users] = [[...options.registered()], [...options.accounts()]];
  const facts = connectFacts({ issuer, clients, users, collections, endpoints, reach }, client);
  return areSecretsHidden ? withoutSecrets(facts) : facts;
}

/** Read anew for each look: the history is bounded, and a page is looked at seldom. */
function* hostsOf({ events, clock, issuer, base, endpoints, reach }: DashboardOptions) {
  const backchannelUrl = reach.backchannelUrl === undefined ? '' : reach.backchannelUrl + base;
  const own = { issuer, ...(backchannelUrl === '' ? {} : { backchannelUrl }) };
  const facts = yield* hostFacts(events.latest('request.completed', Number.POSITIVE_INFINITY), own);
  const jwksPath = endpoints.find(({ name }) => name === 'jwks')?.path ?? '';
  const { allowedHosts, scheme } = reach;
  const diagnoses = diagnoseHosts(facts, { ...own, allowedHosts, scheme, jwksPath });
  const problems = new Set(diagnoses.filter(({ isProblem }) => isProblem).map(({ host }) => host)).size;
  return { issuer, backchannelUrl, rows: hostRows(facts, clock()), diagnoses, problems };
}
