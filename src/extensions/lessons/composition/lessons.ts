import { defined } from '../../../base/defined.ts';
import type { EventOf } from '../../../base/events/event.ts';
import { type Outbound, OutboundError } from '../../../protocol/outbound.ts';
import { randomId } from '../../../protocol/random.ts';
import type { Issuer } from '../../../sandbox/composition/issuer.ts';
import type { Lazy } from '../../../sandbox/composition/lazily.ts';
import { createLazyOutbound } from '../../../sandbox/composition/outbound.ts';
import type { RunningShortLived } from '../../../sandbox/composition/short-lived.ts';
import type { LessonFolder } from '../lesson.ts';
import type { Lessons, LessonsParts } from '../lessons.ts';
import type { CallApi } from '../probe/call-api.ts';
import { fetchSelf } from './fetch-self.ts';
import type { LearnerExtras } from './learner-extras.ts';

interface LessonSources {
  readonly first: () => Issuer;
  readonly shortLived: Lazy<RunningShortLived>;
  /** The lessons of the user. */
  readonly pack: readonly LessonFolder[];
  /** Of a workshop. */
  readonly seat?: LessonSeat;
}

/** The lessons of one seat of a workshop: the parts that differ from lessons outside of a workshop. */
export interface LessonSeat extends Pick<LessonsParts, 'learner' | 'mostRunning' | 'mayOpenHints'> {
  /** Options for the issuer of each lesson. */
  readonly extras: LearnerExtras;
  /** Called with the issuer of each lesson that begins. */
  readonly watch: (issuer: Issuer) => void;
}

/** Reads the lessons. Each learner of each has a short-lived issuer, and the log of the first issuer says what was done. */
export async function loadLessons({ first, shortLived, pack, seat }: LessonSources): Promise<Lessons> {
  const { createLessons } = await import('../lessons.ts');
  const { titleOf } = await import('../../../record/problems/explain.ts');
  const {
    issuer,
    events,
    core: { config },
  } = first();
  return createLessons({
    issuer,
    pack,
    newId: randomId,
    isPolled: config.controlToken !== undefined,
    callApi: callFrom(seat?.extras.outbound ?? createLazyOutbound('loopback')),
    ...seat,
    tell: fact => void events.append(fact, 'sandbox'),
    addressOf: (await shortLived.get()).addressOf,
    async createIssuer(config, options, lab) {
      const issuers = await shortLived.get();
      const extras = { ...seat?.extras, isAlone: true, ...defined({ lab }) };
      const { told, issuer: own, stop } = await issuers.createHere(config, options, extras);
      const isLiving = () => issuers.list().some(({ id, createdAt }) => id === told.id && createdAt === told.createdAt);
      seat?.watch(own);
      const known = knownOf(own);
      const refusalTitle = (error: EventOf<'error.returned'>) => titleOf(known, { error });
      return {
        issuer: told.issuer,
        events: own.events,
        titleOf: refusalTitle,
        isLiving,
        mint: own.issueToken,
        rotateKeys: () => own.rotateKeys(),
        emit: fact => void own.events.append(fact, 'sandbox'),
        breakpoints: own.breakpoints,
        send: fetchSelf(own),
        setClient: async (client_id, members) => void (await own.clients.replace(client_id, members)),
        stop,
      };
    },
  });
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

/** The names that the title of an explanation may use. */
function knownOf({ events, issuer, core: { server } }: Issuer) {
  return {
    ...{ events, issuer, iss: server.iss, clock: server.clock, endpoints: [] },
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    scopes: [...server.scopes.values()],
    registered: () => server.clients.values(),
    accounts: () => server.users.values(),
  };
}
