import { inTurns } from '../../base/turns/in-turns.ts';
import { diagnoseHosts } from '../../record/flows/host-diagnosis.ts';
import { hostFacts } from '../../record/flows/hosts.ts';
import type { ProgressStep } from '../../record/progress.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import type { SnippetFacts } from '../snippets/facts.ts';
import { snippets } from '../snippets/snippets.ts';
import { connectFacts, usableClients, withoutSecrets } from './connect-facts.ts';
import { hostRows } from './host-rows.ts';

/** The groups of snippets, in the order of the page. */
export const familyTitles: Readonly<Record<string, string>> = {
  browser: 'In the browser',
  web: 'Web application',
  api: 'API that receives tokens',
  terminal: 'Terminal and scripts',
  mcp: 'MCP server',
  containers: 'Containers and pipelines',
  tests: 'Browser tests',
};

/** The query of the page. */
interface ConnectQuery {
  /** The `client_id` to write into the snippets. */
  readonly client?: string | undefined;
  /** The snippet to show first. */
  readonly open?: string | undefined;
  readonly areSecretsHidden: boolean;
}

/** All snippets, and the host names that clients use to reach this server. */
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
  };
}

/** The client that accepts any loopback address as its redirect URI; empty for none. */
export function loopbackClient({ spa }: SnippetFacts): string {
  return spa?.anyLoopback === true ? spa.client_id : '';
}

/** The facts that snippets are made from: the current clients and users. */
export function factsOf(
  options: DashboardOptions,
  { client, areSecretsHidden }: Pick<ConnectQuery, 'client' | 'areSecretsHidden'>,
): SnippetFacts {
  const { issuer, iss, collections, endpoints, reach } = options;
  const [clients, users] = [[...options.registered()], [...options.accounts()]];
  const facts = connectFacts({ issuer, iss, clients, users, collections, endpoints, reach }, client);
  return areSecretsHidden ? withoutSecrets(facts) : facts;
}

/** Computed for each view, because the history is bounded and the page is rarely opened. */
function* hostsOf({ events, clock, issuer, iss, base, endpoints, reach }: DashboardOptions) {
  const backchannelUrl = reach.backchannelUrl === undefined ? '' : reach.backchannelUrl + base;
  const own = { issuer, ...(backchannelUrl === '' ? {} : { backchannelUrl }) };
  const facts = yield* hostFacts(events.latest('request.completed', Number.POSITIVE_INFINITY), own);
  const jwksPath = endpoints.find(({ name }) => name === 'jwks')?.path ?? '';
  const { allowedHosts, scheme } = reach;
  const diagnoses = diagnoseHosts(facts, { ...own, allowedHosts, scheme, jwksPath });
  const problems = new Set(diagnoses.filter(({ isProblem }) => isProblem).map(({ host }) => host)).size;
  return { iss, backchannelUrl, rows: hostRows(facts, clock()), diagnoses, problems };
}
