import { ago } from '../../base/text/duration.ts';
import { inTurns } from '../../base/turns.ts';
import { diagnoseHosts } from '../../record/flows/host-diagnosis.ts';
import { type HostFact, type HostUse, hostFacts } from '../../record/flows/hosts.ts';
import type { ProgressStep } from '../../record/progress.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import type { SnippetFacts } from '../snippets/facts.ts';
import { snippets } from '../snippets/snippets.ts';
import { connectFacts, usableClients, withoutSecrets } from './connect-facts.ts';

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

const callers = { browser: 'Browser', backend: 'Back end', tool: 'Tool' } as const;
const mostCalls = 3;

/** One row per host name and caller. */
function hostRows(facts: readonly HostFact[], now: number) {
  return facts.flatMap(fact =>
    fact.uses.map(use => ({
      host: fact.host,
      // `Back end, Java-http-client/17.0.2`
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
