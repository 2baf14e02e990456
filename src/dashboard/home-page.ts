import type { EventOf } from '../events/event.ts';
import type { EventLog } from '../events/event-log.ts';
import { userTags } from '../http/login-details.ts';
import { displayName } from '../oauth/users/user.ts';
import type { DashboardOptions, EndpointFact } from './dashboard-options.ts';
import { demoClient } from './demo.ts';
import { ago, duration } from './duration.ts';
import { type Problem, problemOf } from './event-words.ts';
import { parseFilter } from './filter.ts';
import { type LoginStart, loginStarts } from './login-starts.ts';
import { createProgress, type ProgressStep } from './progress.ts';
import { loginClient, type Snippet, snippetsFor } from './snippets.ts';
import { listTokens, type TokenRow } from './token-list.ts';

/** The part of home that changes while one looks at it; also served alone, for the script. */
export interface HomeLive {
  /** Whether an app, or anybody but the dashboard, has done something. */
  readonly inUse: boolean;
  readonly started: string;
  readonly progress: readonly ProgressStep[];
  /** What would be next, one sentence. */
  readonly next: string;
  readonly login?: {
    readonly sub: string;
    readonly client_id: string;
    readonly ago: string;
    readonly requestId: string;
  };
  readonly error?: Problem & { readonly client_id: string; readonly ago: string; readonly requestId: string };
  readonly tokens: readonly TokenRow[];
  readonly counts: readonly (readonly [name: string, count: number])[];
}

export interface HomePage extends HomeLive {
  readonly snippets: readonly Snippet[];
  /** The client whose redirect URIs are relaxed to any loopback address. */
  readonly loopbackClient: string;
  readonly canDemo: boolean;
  readonly users: readonly { readonly sub: string; readonly name: string; readonly tags: readonly string[] }[];
  readonly starts: readonly LoginStart[];
  readonly endpoints: readonly EndpointFact[];
}

/** Home, as a page and as its live part. */
export interface Home {
  page(): HomePage;
  live(): HomeLive;
}

export function createHome(options: DashboardOptions): Home {
  const progress = createProgress(options.events);
  const app = loginClient(options);
  const live = () => homeLive(options, progress());
  return {
    live,
    page: () => ({
      ...live(),
      snippets: snippetsFor(options),
      loopbackClient: app?.loopback_redirects === true ? app.client_id : '',
      canDemo: demoClient(options) !== undefined,
      users: options.users.map(user => ({ sub: user.sub, name: displayName(user), tags: userTags(user) })),
      starts: loginStarts(options.registered(), options.issuer),
      endpoints: options.endpoints,
    }),
  };
}

function homeLive({ events, clock, startedAt }: DashboardOptions, progress: readonly ProgressStep[]): HomeLive {
  const now = clock();
  const tokens = listTokens(events, now, { filter: parseFilter(''), limit: 6 }).rows;
  const login = events.latest('login.succeeded', 1)[0];
  const error = events.latest('error.returned', 1)[0];
  return {
    inUse: tokens.length > 0 || login !== undefined || error !== undefined,
    started: `${duration(now - startedAt)} ago`,
    progress,
    next: nextStep(progress),
    ...(login === undefined ? {} : { login: loginWords(login, now) }),
    ...(error === undefined ? {} : { error: errorWords(error, now) }),
    tokens,
    counts: countsOf(events),
  };
}

function loginWords(login: EventOf<'login.succeeded'>, now: number): NonNullable<HomeLive['login']> {
  return { sub: login.sub, client_id: login.client_id ?? '', ago: ago(now - login.at), requestId: login.requestId };
}

function errorWords(error: EventOf<'error.returned'>, now: number): NonNullable<HomeLive['error']> {
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

/** Codes and tokens since the start. */
export function issuedCount(events: EventLog): number {
  return events.count('token.issued') + events.count('code.issued');
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
