import type { EventOf, EventType } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { ago, duration } from '../../base/text/duration.ts';
import { atOnce } from '../../base/turns.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isReuse } from '../../record/flows/correlation/flow-status.ts';
import { type Flow, flowKindWords } from '../../record/flows/flow.ts';
import { stateOf } from '../../record/flows/flow-state.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../../record/flows/sequence.ts';
import { lanesOf } from '../../record/flows/sequences/model.ts';
import { explainedRequest } from '../../record/problems/explain.ts';
import { isOrdinary } from '../../record/problems/on-purpose.ts';
import { createProgress, newEvents, type ProgressStep, step } from '../../record/progress.ts';
import { problemOf } from '../../record/words/event-words.ts';
import { demoClient, registeredClient } from '../clients-and-users.ts';
import { stateView, stepView, tookWords } from '../flows/flow-view.ts';
import type { PageContext } from '../page.ts';
import { issuedCount } from '../shell.ts';
import { listTokens, parseFilter } from '../tokens/token-list.ts';
import { createCircles, firstPerson, firstVisit, type HomeQuery } from './first-visit.ts';

export type Home = ReturnType<typeof createHome>;

/** Makes a function that reads Home, as it is now. */
export function createHome(context: PageContext) {
  const parts = {
    progress: createProgress(context.events),
    circles: createCircles(context.events),
    checklists: createChecklists(context.events),
  };
  return async (query: HomeQuery) => {
    const live = homeLive(context, parts);
    return {
      ...live,
      ...(live.inUse ? {} : { first: await firstVisit(context, query) }),
      person: demoClient(context) && firstPerson(context),
      starts: loginStarts(context.registered(), context.issuer),
      withoutEffect: await context.withoutEffect(),
    };
  };
}

interface Parts {
  readonly progress: () => readonly ProgressStep[];
  readonly circles: ReturnType<typeof createCircles>;
  readonly checklists: ReturnType<typeof createChecklists>;
}

function homeLive(context: PageContext, { progress, circles, checklists }: Parts) {
  const { events, clock, startedAt } = context;
  const now = clock();
  const tokens = atOnce(listTokens(context, { filter: parseFilter(''), limit: 6 })).rows;
  const login = events.latest('login.succeeded', 1)[0];
  const error = refusalThatMatters(events);
  const discovery = progress().find(({ name }) => name === 'discovery') ?? step('discovery', undefined);
  const applications = checklists(discovery).map(list => {
    const { client_id } = list;
    return { ...list, name: registeredClient(context, client_id)?.client_name ?? client_id };
  });
  const flow = latestFlow(context, now);
  return {
    // true if a sender other than the dashboard has sent a request that counts
    inUse: tokens.length > 0 || login !== undefined || error !== undefined,
    started: `${duration(now - startedAt)} ago`,
    canDemo: demoClient(context) !== undefined,
    canMint: context.mint !== undefined,
    circles: circles(),
    applications,
    ...(login === undefined ? {} : { login: loginWords(login, now) }),
    ...(error === undefined ? {} : { error: errorWords(context, error, now) }),
    flow,
    tokens,
    counts: countsOf(context),
  };
}

function loginWords(login: EventOf<'login.succeeded'>, now: number) {
  return { sub: login.sub, client_id: login.client_id ?? '', ago: ago(now - login.at), requestId: login.requestId };
}

function errorWords(context: PageContext, error: EventOf<'error.returned'>, now: number) {
  const explanation = explainedRequest(context, error.requestId)?.explanation;
  return {
    ...problemOf(error),
    title: explanation?.title ?? error.error,
    comparison: explanation?.comparison,
    client_id: error.client_id ?? '',
    ago: ago(now - error.at),
    requestId: error.requestId,
  };
}

function countsOf({ events, problems }: PageContext): [string, number][] {
  const counted = (count: number, name: string): [string, number] => [count === 1 ? name : `${name}s`, count];
  return [
    counted(events.count('login.succeeded'), 'login'),
    counted(issuedCount(events), 'token'),
    counted(problems.count(), 'problem'),
  ];
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

type Recorded = Pick<PageContext, 'events' | 'describe' | 'flows'>;

const mostFlows = 20;

/** The newest flow with a short sequence. Requests for metadata and keys alone are skipped; undefined before the first flow. */
export function latestFlow(context: Recorded, now: number) {
  const flow = context.flows.latest(mostFlows).find(({ kind }) => kind !== 'setup');
  return flow && { ...lineOf(flow, now), ago: ago(now - flow.lastAt), ...shortSequence(context, flow, now) };
}

function lineOf(flow: Flow, now: number) {
  const { id, kind, client_id = '', sub = '' } = flow;
  return { id, kind: flowKindWords[kind], client_id, sub, state: stateView(stateOf(flow), now), took: tookWords(flow) };
}

const mostSteps = 6;
const firstSteps = 2;

function shortSequence(context: Recorded, flow: Flow, now: number) {
  const sequence = sequenceOf(flow, context.events);
  const steps = stepsThatTell(sequence);
  const shown =
    steps.length > mostSteps ? [...steps.slice(0, firstSteps), ...steps.slice(firstSteps - mostSteps)] : steps;
  const lanes = lanesOf(flow, shown);
  const drawing = {
    ...context,
    sequence: { ...sequence, lanes },
    isOpen: flow.status === 'open',
    shows: () => false,
    now,
  };
  return {
    lanes,
    steps: shown.map(step => shortStep(stepView(step, drawing))),
    omitted: { after: firstSteps, count: steps.length - shown.length },
  };
}

function stepsThatTell({ steps, reached }: Sequence): SequenceStep[] {
  return steps.filter(
    ({ number, certainty, from, to }) => certainty !== 'inferred' && from !== to && number <= reached + 1,
  );
}

/** Uses only the status as title of an answer, because badges name its tokens. */
function shortStep(step: ReturnType<typeof stepView>) {
  const isTokenAnswer = step.tokens.length > 0 && step.title.startsWith('200 ');
  return { ...step, title: isTokenAnswer ? '200' : step.title };
}

type Refused = EventOf<'error.returned'>;

/** A lower rank matters more: a refused login stops everything, while browsers request unknown paths by themselves. */
const ranks: Readonly<Record<string, number>> = {
  token: 1,
  introspect: 1,
  revoke: 1,
  userinfo: 1,
  register: 1,
  api: 2,
  discovery: 3,
  jwks: 3,
  dashboard: 3,
  unknown: 4,
};
const login = 0;
const mostRefusals = 100;
/** Seconds before the newest refusal. An older refusal does not hide the newest one. */
const window = 600;

/** Chooses the refusal for Home: of the last ten minutes before the newest one, login before token before API before 404. */
export function refusalThatMatters(events: EventLog): Refused | undefined {
  const refusals = events.latest('error.returned', mostRefusals).filter(each => isMistake(each, events));
  const since = (refusals[0]?.at ?? 0) - window;
  const rank = ({ endpoint }: Refused) => ranks[endpoint] ?? login;
  const [first] = refusals.filter(({ at }) => at >= since).sort((a, b) => rank(a) - rank(b) || b.id - a.id);
  return first && (causeOf(events, first) ?? first);
}

function causeOf(events: EventLog, { id, authorizationId }: Refused): Refused | undefined {
  if (authorizationId === undefined) return undefined;
  const reuse = events.ofAuthorization(authorizationId).findLast(event => event.id < id && isReuse(event));
  return reuse && events.ofRequest(reuse.requestId).find(event => event.type === 'error.returned');
}

function isMistake(refused: Refused, events: EventLog): boolean {
  return !isOrdinary(refused) && !events.ofRequest(refused.requestId).some(({ type }) => type === 'fault.applied');
}

interface Tick<T extends EventType> {
  readonly type: T;
  readonly name: string;
  readonly is: (event: EventOf<T>) => boolean;
  readonly next: { readonly words: string; readonly path: string; readonly link: string };
}

/** Each row is checked against the event of its own type; the cast is safe because `see` compares the types first. */
const tick = <T extends EventType>(row: Tick<T>) => row as unknown as Tick<EventType>;

const ticks = [
  tick({
    name: 'login',
    type: 'login.succeeded',
    is: () => true,
    next: { words: 'Nobody has logged in yet.', path: '/connect', link: 'See how to connect' },
  }),
  tick({
    name: 'callback',
    type: 'token.issued',
    is: event => event.grant_type === 'authorization_code' && event.minted !== true,
    next: { words: 'The app has not redeemed its code. Look at its callback.', path: '/flows', link: 'Open the flows' },
  }),
  tick({
    name: 'API call',
    type: 'token.used',
    is: event => event.endpoint === 'api',
    next: { words: 'Call the sample API with the access token.', path: '/api', link: 'Open the sample API' },
  }),
  tick({
    name: 'refresh',
    type: 'token.issued',
    is: event => event.grant_type === 'refresh_token' && event.minted !== true,
    next: {
      words: 'Let the access token expire and see whether the app refreshes it.',
      path: '/clock',
      link: 'Move the clock',
    },
  }),
  tick({
    name: 'logout',
    type: 'session.ended',
    is: event => event.endedBy === undefined,
    next: { words: 'Log out in the app.', path: '/flows', link: 'Open the flows' },
  }),
];

const types = [...new Set(ticks.map(({ type }) => type))];
const mostShown = 4;
/** The most remembered applications, because dynamic registration can create any number. */
const mostKnown = 100;

interface Seen {
  logins: number;
  readonly requests: Map<string, string>;
}

/** The checklists of all applications with a login, the latest first. */
export function createChecklists(events: EventLog) {
  const apps = new Map<string, Seen>();

  function countLogin(client_id: string): void {
    const app = apps.get(client_id) ?? { logins: 0, requests: new Map() };
    app.logins++;
    apps.delete(client_id);
    apps.set(client_id, app);
    for (const oldest of apps.keys()) if (apps.size > mostKnown) apps.delete(oldest);
  }

  function see(event: EventOf<EventType>): void {
    if (!('client_id' in event) || event.client_id === undefined) return;
    const { client_id } = event;
    if (event.type === 'login.succeeded') countLogin(client_id);
    const app = apps.get(client_id);
    for (const { type, name, is } of ticks) {
      if (type === event.type && is(event)) app?.requests.set(name, event.requestId);
    }
  }

  const readNew = newEvents(events, types, { see, forget: () => apps.clear() });

  return (discovery: ProgressStep) => {
    readNew();
    return [...apps]
      .reverse()
      .slice(0, mostShown)
      .map(([client_id, app]) => checklist(client_id, app, discovery));
  };
}

function checklist(client_id: string, { logins, requests }: Seen, discovery: ProgressStep) {
  const missing = ticks.find(({ name }) => !requests.has(name));
  return {
    client_id,
    logins,
    steps: [discovery, ...ticks.map(({ name }) => step(name, requests.get(name)))],
    next: missing?.next,
  };
}
