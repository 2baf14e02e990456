import { defined } from '../../defined.ts';
import type { EventOf } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import { userTags } from '../../http/signin/user-cards.ts';
import { displayName } from '../../oauth/users/user.ts';
import { atOnce } from '../../turns/in-turns.ts';
import { factsOf, loopbackClient } from '../connect/connect-page.ts';
import type { DashboardOptions, EndpointFact } from '../dashboard-options.ts';
import type { Desk } from '../desk.ts';
import { ago, duration } from '../duration.ts';
import { problemOf } from '../requests/event-words.ts';
import { parseFilter } from '../search/filter.ts';
import { issuedCount } from '../tokens/issued-count.ts';
import { listTokens } from '../tokens/token-list.ts';
import { demoClient } from './demo.ts';
import { type HomeSnippet, homeSnippets } from './home-snippets.ts';
import { latestFlow } from './latest-flow.ts';
import { type LoginStart, loginStarts } from './login-starts.ts';
import { createProgress, type ProgressStep } from './progress.ts';

/** The part of home that changes while one looks at it; also served alone, for the script. */
export type HomeLive = ReturnType<typeof homeLive>;

export interface HomePage extends HomeLive {
  readonly snippets: readonly HomeSnippet[];
  /** The client whose redirect URIs are relaxed to any loopback address. */
  readonly loopbackClient: string;
  readonly canDemo: boolean;
  readonly users: readonly { readonly sub: string; readonly name: string; readonly tags: readonly string[] }[];
  readonly starts: readonly LoginStart[];
  readonly endpoints: readonly EndpointFact[];
}

/** Home, as a page and as its live part. */
export interface Home {
  page(areSecretsHidden: boolean): Promise<HomePage>;
  live(): HomeLive;
}

export function createHome(desk: Desk): Home {
  const progress = createProgress(desk.events);
  const live = () => homeLive(desk, progress());
  return { live, page: async areSecretsHidden => ({ ...(await homeStill(desk, areSecretsHidden)), ...live() }) };
}

/** What stays as it is while one looks at it. */
async function homeStill(
  options: DashboardOptions,
  areSecretsHidden: boolean,
): Promise<Omit<HomePage, keyof HomeLive>> {
  const facts = factsOf(options, { areSecretsHidden });
  const people = [...options.accounts()].filter(({ isVisitor }) => isVisitor === undefined);
  return {
    snippets: await homeSnippets(facts),
    loopbackClient: loopbackClient(facts),
    canDemo: demoClient(options) !== undefined,
    users: people.map(user => ({ sub: user.sub, name: displayName(user), tags: userTags(user) })),
    starts: loginStarts(options.registered(), options.issuer),
    endpoints: options.endpoints,
  };
}

function homeLive({ events, clock, startedAt, flows }: Desk, progress: readonly ProgressStep[]) {
  const now = clock();
  const tokens = atOnce(listTokens(events, now, { filter: parseFilter(''), limit: 6 })).rows;
  const login = events.latest('login.succeeded', 1)[0];
  const error = events.latest('error.returned', 1)[0];
  const flow = latestFlow(flows, now);
  return {
    // whether an app, or anybody but the dashboard, has done something
    inUse: tokens.length > 0 || login !== undefined || error !== undefined,
    started: `${duration(now - startedAt)} ago`,
    progress,
    // what would be next, one sentence
    next: nextStep(progress),
    ...(login === undefined ? {} : { login: loginWords(login, now) }),
    ...(error === undefined ? {} : { error: errorWords(error, now) }),
    ...defined({ flow }),
    tokens,
    counts: countsOf(events),
  };
}

function loginWords(login: EventOf<'login.succeeded'>, now: number) {
  return { sub: login.sub, client_id: login.client_id ?? '', ago: ago(now - login.at), requestId: login.requestId };
}

function errorWords(error: EventOf<'error.returned'>, now: number) {
  return {
    ...problemOf(error),
    client_id: error.client_id ?? '',
    ago: ago(now - error.at),
    requestId: error.requestId,
  };
}

function countsOf(events: EventLog): [string, number][] {
  const counted = (count: number, name: string): [string, number] => [count === 1 ? name : `${name}s`, count];
  return [
    counted(events.count('login.succeeded'), 'login'),
    counted(issuedCount(events), 'token'),
    counted(events.count('error.returned'), 'refusal'),
  ];
}

/** "What to do next", from what the log has not seen yet. */
function nextStep(progress: readonly ProgressStep[]): string {
  const done = (name: string) => progress.some(step => step.name === name && step.done);
  if (done('API call')) return '';
  if (done('token')) return 'There are tokens. Call the sample API with one: the page of an access token has the curl.';
  if (done('login')) return 'Somebody logged in, and no token was asked for yet: look at the callback of your app.';
  if (done('discovery')) return 'Discovery was read, and nobody has logged in yet. Start the login in your app.';
  return 'Point your app at the issuer; most libraries read discovery first.';
}
