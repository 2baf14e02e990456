import { defined } from '../../base/defined.ts';
import type { EventOf } from '../../base/events/event.ts';
import { ago, duration } from '../../base/text/duration.ts';
import { atOnce } from '../../base/turns.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { displayName } from '../../protocol/users/user.ts';
import { explainedRequest } from '../../record/problems/explained-request.ts';
import { createProgress, type ProgressStep, step } from '../../record/progress.ts';
import { problemOf } from '../../record/words/event-words.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import { userTags } from '../../server/http/signin/user-cards.ts';
import { demoClient, registeredClient } from '../clients-and-users.ts';
import { factsOf, loopbackClient } from '../connect/connect-page.ts';
import type { Desk } from '../desk.ts';
import { issuedCount } from '../shell.ts';
import type { SnippetFacts } from '../snippets/facts.ts';
import { snippets } from '../snippets/snippets.ts';
import { listTokens } from '../tokens/token-list.ts';
import { parseFilter } from '../tokens/token-search.ts';
import { createChecklists } from './checklists.ts';
import { latestFlow } from './latest-flow.ts';
import { refusalThatMatters } from './ranked-refusal.ts';

export type Home = ReturnType<typeof createHome>;

/** Home, as a page and as its live part. */
export function createHome(desk: Desk) {
  const progress = createProgress(desk.events);
  const checklists = createChecklists(desk.events);
  const live = () => homeLive(desk, progress(), checklists);
  const page = async (areSecretsHidden: boolean) => ({ ...(await homeStill(desk, areSecretsHidden)), ...live() });
  return { live, page };
}

/** The part of Home that depends only on the configuration. */
async function homeStill(options: DashboardOptions, areSecretsHidden: boolean) {
  const facts = factsOf(options, { areSecretsHidden });
  const people = [...options.accounts()].filter(({ isVisitor }) => isVisitor === undefined);
  return {
    snippets: await homeSnippets(facts),
    // the client whose redirect URI may have any loopback address
    loopbackClient: loopbackClient(facts),
    users: people.map(user => ({ sub: user.sub, name: displayName(user), tags: userTags(user) })),
    starts: loginStarts(options.registered(), options.issuer),
    endpoints: options.endpoints,
    withoutEffect: await options.withoutEffect(),
  };
}

/** The part of Home that changes with each event. The script fetches it alone. */
function homeLive(desk: Desk, progress: readonly ProgressStep[], checklists: ReturnType<typeof createChecklists>) {
  const { events, clock, startedAt } = desk;
  const now = clock();
  const tokens = atOnce(listTokens(desk, { filter: parseFilter(''), limit: 6 })).rows;
  const login = events.latest('login.succeeded', 1)[0];
  const error = refusalThatMatters(events);
  const discovery = progress.find(({ name }) => name === 'discovery') ?? step('discovery', undefined);
  const applications = checklists(discovery).map(list => {
    const { client_id } = list;
    return { ...list, name: registeredClient(desk, client_id)?.client_name ?? client_id };
  });
  const flow = latestFlow(desk, now);
  return {
    // true if a sender other than the dashboard has sent a request that counts
    inUse: tokens.length > 0 || login !== undefined || error !== undefined,
    started: `${duration(now - startedAt)} ago`,
    canDemo: demoClient(desk) !== undefined,
    canMint: desk.mint !== undefined,
    // only until an application had its first login
    progress: applications.length > 0 ? [] : progress,
    next: applications.length > 0 ? '' : nextStep(progress),
    applications,
    ...(login === undefined ? {} : { login: loginWords(login, now) }),
    ...(error === undefined ? {} : { error: errorWords(desk, error, now) }),
    ...defined({ flow }),
    tokens,
    counts: countsOf(desk),
  };
}

function loginWords(login: EventOf<'login.succeeded'>, now: number) {
  return { sub: login.sub, client_id: login.client_id ?? '', ago: ago(now - login.at), requestId: login.requestId };
}

/** The refusal with its explanation: the sent value and the closest accepted one, if they can be compared. */
function errorWords(desk: Desk, error: EventOf<'error.returned'>, now: number) {
  const explanation = explainedRequest(desk, error.requestId)?.explanation;
  return {
    ...problemOf(error),
    title: explanation?.title ?? error.error,
    ...defined({ comparison: explanation?.comparison }),
    client_id: error.client_id ?? '',
    ago: ago(now - error.at),
    requestId: error.requestId,
  };
}

function countsOf({ events, problems }: Desk): [string, number][] {
  const counted = (count: number, name: string): [string, number] => [count === 1 ? name : `${name}s`, count];
  return [
    counted(events.count('login.succeeded'), 'login'),
    counted(issuedCount(events), 'token'),
    counted(problems.count(), 'problem'),
  ];
}

/** The next step until an application had its first login. */
function nextStep(progress: readonly ProgressStep[]): string {
  const done = (name: string) => progress.some(step => step.name === name && step.done);
  if (done('API call')) return '';
  if (done('token')) return 'Call the sample API with a token. The page of each access token has the curl command.';
  if (done('login')) return 'Somebody logged in, but no token was requested yet. Look at the callback of your app.';
  if (done('discovery')) return 'Your app has read discovery. Start the login in your app.';
  return 'Point your app at the issuer. Most libraries read discovery first.';
}

const most = 20;

/**
 * The applications at which a login can start on this page, by their `initiate_login_uri` (OIDC Core §4); if there are many, the latest
 * registered ones.
 */
function loginStarts(clients: Iterable<RegisteredClient>, issuer: string) {
  const starts = [...clients].flatMap(({ client_id, client_name, initiate_login_uri: uri }) => {
    if (uri === undefined) return [];
    const href = `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer })}`;
    return [{ client_id, client_name, href }];
  });
  return starts.slice(-most);
}

/** The snippets that most people begin with, by names short enough for a row of tabs. The stylesheet uses their ids. */
const tabs: Readonly<Record<string, string>> = {
  spa: 'SPA, oidc-client-ts',
  react: 'React',
  node: 'Node',
  spring: 'Spring API',
  curl: 'curl',
  'mcp-metadata': 'MCP',
  'aspnet-api': '.NET API',
  env: 'Env vars',
};

async function homeSnippets(facts: SnippetFacts) {
  const found = await snippets(facts, Object.keys(tabs));
  return Object.entries(tabs).flatMap(([id, name]) =>
    found.filter(snippet => snippet.id === id).map(snippet => ({ ...snippet, name })),
  );
}
