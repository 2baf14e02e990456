import type { EventOf } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { duration } from '../../base/text/duration.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isReuse } from '../../record/flows/correlation/flow-status.ts';
import { explainedRequest } from '../../record/problems/explain.ts';
import { isOrdinary } from '../../record/problems/on-purpose.ts';
import { createProgress, type ProgressStep, step } from '../../record/progress.ts';
import { problemOf } from '../../record/words/event-words.ts';
import { demoClient } from '../clients-and-users.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { issuedCount } from '../shell.ts';
import { createChecklists } from './checklists.ts';
import { createCircles, firstPerson, firstVisit, type HomeQuery } from './first-visit.ts';
import { appName, newestSignIn } from './hero.ts';
import { newestTokens } from './newest-tokens.ts';

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
  const { events, clock, startedAt, problems } = context;
  const now = clock();
  const error = refusalThatMatters(events);
  const discovery = progress().find(({ name }) => name === 'discovery') ?? step('discovery', undefined);
  const counts = problems.countsByClient();
  return {
    // true if a sender other than the dashboard has sent a request that counts
    inUse: issuedCount(events) > 0 || events.count('login.succeeded') > 0 || error !== undefined,
    started: `${duration(now - startedAt)} ago`,
    canMint: context.mint !== undefined,
    circles: circles(),
    applications: checklists(discovery).map(list => ({
      ...list,
      name: appName(context, list.client_id),
      problems: counts.get(list.client_id) ?? 0,
    })),
    ...(error === undefined ? {} : { error: errorWords(context, error, now) }),
    hero: newestSignIn(context, now),
    tokens: newestTokens(context, now),
  };
}

function errorWords(context: PageContext, error: EventOf<'error.returned'>, now: number) {
  const explanation = explainedRequest(context, error.requestId)?.explanation;
  return {
    ...problemOf(error),
    title: explanation?.title ?? error.error,
    comparison: explanation?.comparison,
    client_id: error.client_id ?? '',
    at: momentOf(error.at, now),
    requestId: error.requestId,
  };
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
