import { defined } from '../../base/defined.ts';
import type { EventOf } from '../../base/events/event.ts';
import type { Lazy } from '../../base/lazily.ts';
import { type Outbound, OutboundError } from '../../protocol/outbound.ts';
import { randomId } from '../../protocol/random.ts';
import type { Relaxation, Relaxations } from '../../protocol/relaxation.ts';
import { explainRefusal, titleOf } from '../../record/problems/explain.ts';
import { exchangeOf } from '../../record/problems/history.ts';
import type { Known } from '../../record/problems/known.ts';
import type { Guard } from '../../sandbox/control/api/control-gate.ts';
import type { Issuer, OwnExtras, OwnIssuers } from '../../sandbox/extension.ts';
import { knownOf } from '../../sandbox/front/front.ts';
import { handleOf } from '../../sandbox/library/handle.ts';
import { createLazyOutbound } from '../../sandbox/process/outbound.ts';
import { type SelfAnswer, sendToSelf } from '../../sandbox/self-request.ts';
import { contextOf } from '../../server/http/request-context.ts';
import type { LabState } from './lab/lab.ts';
import type { Learning } from './learning.ts';
import type { LessonFolder } from './lesson.ts';
import { createLessons, type Lessons, type LessonsParts } from './lessons.ts';
import type { CallApi } from './probe.ts';
import type { Examined } from './run/examiner.ts';
import type { Fetch } from './trial/agent.ts';

interface LessonSources {
  /** The issuer whose pages they are on. */
  readonly home: Issuer;
  readonly shortLived: Lazy<OwnIssuers>;
  readonly pack: readonly LessonFolder[];
  /** The seat of a workshop; absent outside of a workshop. */
  readonly seat?: LessonSeat;
}

/** The lessons of one seat of a workshop: the parts that differ from lessons outside of a workshop. */
export interface LessonSeat
  extends Pick<LessonsParts, 'learner' | 'mostRunning' | 'mayOpenHints' | 'controlKey' | 'seed'> {
  /** Options for the issuer of each lesson. */
  readonly extras: OwnExtras;
  /** Called with the issuer of each lesson that begins. */
  readonly watch: (issuer: Issuer) => void;
}

/** Reads the lessons. Each learner of each has a short-lived issuer, and the log of the first issuer says what was done. */
export async function loadLessons({ home, shortLived, pack, seat }: LessonSources): Promise<Lessons> {
  const { server, events, config } = home;
  const { controlToken: token } = config;
  return createLessons({
    issuer: server.issuer,
    pack,
    seed: config.seed,
    newId: randomId,
    isPolled: token !== undefined,
    now: server.clock,
    callApi: callFrom(seat?.extras.outbound ?? createLazyOutbound('loopback')),
    ...defined({ controlKey: token && 'YOUR_CONTROL_TOKEN' }),
    ...seat,
    tell: fact => void events.append(fact, 'sandbox'),
    addressOf: (await shortLived.get()).addressOf,
    async createIssuer(config, options, lab) {
      const issuers = await shortLived.get();
      const kept: Learning = { lab };
      const relaxations = relaxationsOf(lab);
      const extras = { ...seat?.extras, guard: guardOf(seat, home), isAlone: true, kept, relaxations };
      const { told, issuer: own, stop } = await issuers.createHere(config, options, extras);
      const isLiving = () => issuers.list().some(({ id, createdAt }) => id === told.id && createdAt === told.createdAt);
      seat?.watch(own);
      const known = knownOf(own, new URL(own.server.issuer).pathname.replace(/\/$/, ''));
      const { issueToken, clients } = handleOf(own);
      const refusalTitle = (error: EventOf<'error.returned'>) => titleOf(known, { error });
      return {
        issuer: told.issuer,
        events: own.events,
        titleOf: refusalTitle,
        explain: error => sentencesOf(known, error),
        isLiving,
        mint: issueToken,
        rotateKeys: () => own.rotateKeys(),
        emit: fact => void own.events.append(fact, 'sandbox'),
        reportOn: client => checksOf(own, client),
        breakpoints: own.breakpoints,
        sendAs: by => fetchSelf(own, by),
        setClient: async (client_id, members) => void (await clients.replace(client_id, members)),
        stop,
      };
    },
  });
}

/** Who may enter the issuer of a lesson also may send the commands on its page, which have no token or cookie. */
function guardOf(seat: LessonSeat | undefined, { config: { controlToken: token } }: Issuer): Guard | undefined {
  const guard = seat?.extras.guard ?? (token === undefined ? undefined : { token, admits: () => false });
  return guard && { ...guard, admits: req => guard.admits(req) || contextOf(req).by === 'lesson' };
}

/** The checks of the client report for a client, also for one that sent nothing. */
async function checksOf(own: Issuer, client: string): Promise<readonly Examined[]> {
  const { issuerReport } = await import('../report/issuer-report.ts');
  const { checks } = await import('../report/checks/index.ts');
  await own.events.caughtUp();
  const { clients } = await issuerReport(own, { client });
  const none = { verdict: 'not_applicable', why: 'The client sent no request.' } as const;
  return clients[0]?.checks ?? checks.map(({ id, title }) => ({ id, title, ...none }));
}

function sentencesOf(known: Known, error: EventOf<'error.returned'>): string {
  const { title, why } = explainRefusal(known, defined({ error, request: exchangeOf(known, error.requestId) }));
  return `${title}. ${why}`;
}

/** The checks that a lab leaves out for its own clients while its defence is off. */
function relaxationsOf(lab: LabState | undefined): Relaxations | undefined {
  const isLeftOut = (name: Relaxation) => lab?.weak.relax?.includes(name) === true;
  return lab && { has: (name, client_id) => !lab.isDefended && client_id.startsWith('lab-') && isLeftOut(name) };
}

/** Calls the API of a learner. It must be on this machine: the page tells the status of any address that it calls. */
function callFrom(outbound: Outbound): CallApi {
  return async (url, headers) => {
    try {
      const answer = await outbound.get(url, { headers, timeoutMs: patienceMs });
      return { status: answer.status, ...defined({ challenge: answer.headers['www-authenticate'] }) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { failure: `Nothing was answered: ${error.message}.` };
    }
  };
}

const patienceMs = 3000;

/**
 * A `fetch` for a learner's page that asks this process only: it connects to its own socket, whatever host the URL names, and
 * marks each request with its sender.
 */
function fetchSelf(issuer: Issuer, by: string): Fetch {
  return async ({ host, pathname, search }, { method = 'GET', headers: sent, body }) => {
    const headers = new Headers(sent);
    if (body instanceof URLSearchParams) headers.set('Content-Type', 'application/x-www-form-urlencoded');
    const answer = await sendToSelf(issuer, {
      method,
      path: pathname + search,
      headers: { ...Object.fromEntries(headers), ...issuer.sandbox.mark.headers(by), Host: host },
      body: body?.toString() ?? '',
    });
    // a Response with one of these has no body
    const isBare = answer.status === 204 || answer.status === 304;
    return new Response(isBare ? null : answer.body, { status: answer.status, headers: headersOf(answer) });
  };
}

function headersOf({ headers }: SelfAnswer): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) for (const each of [value].flat()) all.append(name, each);
  return all;
}
