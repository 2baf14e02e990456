import type { LessonDesk } from '../control/lessons.ts';
import { cookieSuffix } from '../http/cookies.ts';
import { builtIn } from './built-in.ts';
import { createRuns, type LessonRuns, type RunsParts } from './run/lesson-runs.ts';

/** The lessons of a sandbox: the tool of the control API, and that of the pages. */
export interface Lessons {
  readonly desk: LessonDesk;
  readonly runs: LessonRuns;
}

export interface LessonsParts extends Omit<RunsParts, 'folders'> {
  /** The first issuer, whose pages they are. */
  readonly issuer: string;
}

export function createLessons({ issuer, ...parts }: LessonsParts): Lessons {
  const runs = createRuns({ folders: builtIn, ...parts });
  const { protocol, pathname } = new URL(issuer);
  const cookie = `grantbox_learner${cookieSuffix(issuer)}`;
  const path = pathname.replace(/\/$/, '') || '/';
  const flags = `Path=${path}; Max-Age=86400; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  const { list, start, reset, progress } = runs;
  return { runs, desk: { cookie, setCookie: id => `${cookie}=${id}; ${flags}`, list, start, reset, progress } };
}
