import type { EventOf } from '../events/event.ts';
import type { Lessons } from '../lessons/lessons.ts';
import { randomId } from '../oauth/random.ts';
import type { Issuer } from './issuer.ts';
import type { Lazy } from './lazily.ts';
import type { RunningShortLived } from './short-lived.ts';

interface LessonSources {
  readonly first: () => Issuer;
  readonly shortLived: Lazy<RunningShortLived>;
}

/** Reads the lessons. Each learner of each has a short-lived issuer, and the log of the first issuer says what was done. */
export async function loadLessons({ first, shortLived }: LessonSources): Promise<Lessons> {
  const { createLessons } = await import('../lessons/lessons.ts');
  const { titleOf } = await import('../problems/explain.ts');
  const { issuer, events } = first();
  return createLessons({
    issuer,
    newId: randomId,
    tell: fact => void events.append(fact, 'sandbox'),
    async createIssuer(config, options) {
      const issuers = await shortLived.get();
      const { told, issuer: own, stop } = await issuers.createHere(config, options);
      const isLiving = () => issuers.list().some(({ id, createdAt }) => id === told.id && createdAt === told.createdAt);
      const known = knownOf(own);
      const refusalTitle = (error: EventOf<'error.returned'>) => titleOf(known, { error });
      return { issuer: told.issuer, events: own.events, titleOf: refusalTitle, isLiving, stop };
    },
  });
}

/** What the title of an explanation may name. */
function knownOf({ events, issuer, tested: { server } }: Issuer) {
  return {
    ...{ events, issuer, clock: server.clock, endpoints: [] },
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    scopes: [...server.scopes.values()],
    registered: () => server.clients.values(),
    accounts: () => server.users.values(),
  };
}
