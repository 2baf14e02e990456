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
  const { issuer, events } = first();
  return createLessons({
    issuer,
    newId: randomId,
    tell: fact => void events.append(fact, 'sandbox'),
    async createIssuer(config, options) {
      const issuers = await shortLived.get();
      const { told, issuer: own, stop } = await issuers.createHere(config, options);
      const isLiving = () => issuers.list().some(({ id, createdAt }) => id === told.id && createdAt === told.createdAt);
      return { issuer: told.issuer, events: own.events, isLiving, stop };
    },
  });
}
