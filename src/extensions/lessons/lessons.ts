import { cookieSuffix, readCookie } from '../../server/http/cookies.ts';
import { builtIn } from './built-in.ts';
import type { LabReport, LessonDesk, ProbedLearner } from './control.ts';
import type { LabRun } from './lab/lab-run.ts';
import type { LessonFolder } from './lesson.ts';
import type { CallApi } from './probe.ts';
import { createRuns, type LessonRuns, type RunsParts } from './run/lesson-runs.ts';

/** The lessons of a sandbox, for the control API and for the pages. */
export type Lessons = ReturnType<typeof createLessons>;

export interface LessonsParts extends Omit<RunsParts, 'folders'> {
  /** The first issuer, which serves the pages. */
  readonly issuer: string;
  /** The lessons of the user, listed after the built-in ones. */
  readonly pack: readonly LessonFolder[];
  /** Calls the API of a learner on this machine. */
  readonly callApi: CallApi;
  /** The stream of the control API needs a token that a page does not have, so that the page has to ask. */
  readonly isPolled: boolean;
  /** The clock of the first issuer, in Unix seconds. */
  readonly now: () => number;
}

export function createLessons({ issuer, callApi, isPolled, now, pack, ...parts }: LessonsParts) {
  const runs = createRuns({ folders: [...builtIn, ...pack], ...parts });
  const { protocol, pathname } = new URL(issuer);
  const cookie = `grantbox_learner${cookieSuffix(issuer)}`;
  const path = pathname.replace(/\/$/, '') || '/';
  const flags = `Path=${path}; Max-Age=${30 * 86_400}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  const { list, start, reset, progress } = runs;
  const learnerOf: LessonDesk['learnerOf'] = req => parts.learner ?? readCookie(req, cookie);
  const setCookie = (id: string) => `${cookie}=${id}; ${flags}`;
  const desk: LessonDesk = { learnerOf, setCookie, list, start, reset, progress, ...probing(runs), ...attacking(runs) };
  return { runs, callApi, isPolled, now, desk };
}

function runOf({ run, runAt }: LessonRuns, lesson: string, { learner, issuer }: ProbedLearner) {
  return issuer === undefined ? run(lesson, learner) : runAt(lesson, issuer);
}

function probing(runs: LessonRuns): Pick<LessonDesk, 'probe' | 'takeAnswers'> {
  const probeOf = (lesson: string, who: ProbedLearner) => runOf(runs, lesson, who)?.probe;
  return {
    probe: async (lesson, who) => probeOf(lesson, who)?.begin(),
    takeAnswers: async (lesson, who, answers, rotate) => probeOf(lesson, who)?.take(answers, rotate),
  };
}

function attacking(runs: LessonRuns): Pick<LessonDesk, 'attack' | 'defend'> {
  const labOf = (lesson: string, who: ProbedLearner) => runOf(runs, lesson, who)?.lab;
  return {
    async attack(lesson, who, step, page) {
      const lab = labOf(lesson, who);
      const [, act] = /^victim(?::(\w+))?$/.exec(step ?? '') ?? [];
      await (step?.split(':', 1)[0] === 'victim' ? lab?.act(page, act) : lab?.attack(step));
      return lab && labReport(lab);
    },
    async defend(lesson, who, isDefended) {
      const lab = labOf(lesson, who);
      await lab?.defend(isDefended);
      return lab && labReport(lab);
    },
  };
}

function labReport({ isDefended, rounds }: LabRun): LabReport {
  const { steps } = isDefended() ? rounds.defended : rounds.open;
  return { isDefended: isDefended(), steps: [...steps].map(([step, sight]) => ({ step, ...sight })) };
}
