import type { LessonFacts, LessonProgress, TaskProgress } from '../../control/lessons.ts';
import type { ShortLivedConfig, ShortLivedOptions } from '../../control/short-lived.ts';
import { defined } from '../../defined.ts';
import type { LessonStarted, TaskDone } from '../../events/lesson-events.ts';
import { answer, type TaskResult } from '../checks/check.ts';
import type { LessonCode, LessonFolder } from '../lesson.ts';
import { type LessonText, readLessonText } from '../text/lesson-text.ts';
import { createRun, type LearnerIssuer, type LessonRun } from './lesson-run.ts';

export interface RunsParts {
  readonly folders: readonly LessonFolder[];
  createIssuer(config: ShortLivedConfig, options: ShortLivedOptions): Promise<LearnerIssuer>;
  tell(fact: LessonStarted | TaskDone): void;
  /** Random and not to be guessed: it lets a browser into the lessons of a learner. */
  newId(): string;
}

/** A lesson that is loaded. */
export interface OpenLesson {
  readonly id: string;
  readonly code: LessonCode;
  readonly text: LessonText;
}

/** A learner, with the lessons they are in. */
interface Learner {
  readonly runs: Map<string, LessonRun>;
  /** Hints and solutions that stay open once they are opened: `client-credentials/token/1`. */
  readonly opened: Set<string>;
  /** The last start, which may still be under way. */
  starting?: Promise<unknown>;
}

/** All lessons of all learners. */
export type LessonRuns = ReturnType<typeof createRuns>;

const mostLearners = 200;
/** Eight hours: a day of a course. */
const lifetime = 8 * 3600;

export function createRuns(parts: RunsParts) {
  const lessons = createShelf(parts.folders);
  const learners = createLearners(parts.newId);
  const { runOf } = learners;

  async function start(lessonId: string, learnerId: string | undefined, afresh: boolean) {
    const lesson = await lessons.open(lessonId);
    if (lesson === undefined) return undefined;
    const [id, learner] = learners.known(learnerId);
    await learner.starting; // a double click starts one
    const running = runOf(lessonId, id);
    if (running === undefined || afresh) {
      running?.end();
      learner.runs.delete(lessonId);
      for (const key of learner.opened) if (key.startsWith(`${lessonId}/`)) learner.opened.delete(key);
      const beginning = begin(parts, lesson, id);
      learner.starting = beginning.catch(() => {});
      learner.runs.set(lessonId, await beginning);
    }
    return progressOf(lesson, id, runOf(lessonId, id));
  }

  async function progress(lessonId: string, learnerId = ''): Promise<LessonProgress | undefined> {
    const lesson = await lessons.open(lessonId);
    const id = learners.has(learnerId) ? learnerId : '';
    return lesson && progressOf(lesson, id, runOf(lessonId, id));
  }

  return {
    open: lessons.open,
    all: lessons.all,
    list: async (): Promise<readonly LessonFacts[]> => (await lessons.all()).map(factsOf),
    start: (lesson: string, learner: string | undefined) => start(lesson, learner, false),
    reset: (lesson: string, learner: string | undefined) => start(lesson, learner, true),
    progress,
    run: runOf,
    /** A set to add to. */
    opened: learners.opened,
  };
}

/** The lessons, each read once, when it is first opened. */
function createShelf(folders: readonly LessonFolder[]) {
  const loaded = new Map<string, Promise<OpenLesson>>();

  function open(id: string): Promise<OpenLesson> | undefined {
    const folder = folders.find(each => each.id === id);
    if (folder === undefined) return undefined;
    const lesson = loaded.get(id) ?? load(folder);
    loaded.set(id, lesson);
    return lesson;
  }

  return { open, all: () => Promise.all(folders.flatMap(({ id }) => open(id) ?? [])) };
}

/** The learners since the start; too many of them push out the oldest. */
function createLearners(newId: () => string) {
  const learners = new Map<string, Learner>();

  function forget(id: string): void {
    for (const run of learners.get(id)?.runs.values() ?? []) run.end();
    learners.delete(id);
  }

  return {
    has: (id: string) => learners.has(id),
    /** A learner who is unknown, as after a restart, becomes a new one. */
    known(id: string | undefined): readonly [string, Learner] {
      const known = id === undefined ? undefined : learners.get(id);
      if (id !== undefined && known !== undefined) return [id, known];
      const [oldest] = learners.keys();
      if (learners.size >= mostLearners && oldest !== undefined) forget(oldest);
      const made: readonly [string, Learner] = [newId(), { runs: new Map(), opened: new Set() }];
      learners.set(...made);
      return made;
    },
    /** Undefined once its issuer has ended. */
    runOf(lesson: string, learner = ''): LessonRun | undefined {
      const run = learners.get(learner)?.runs.get(lesson);
      return run?.isLiving() === true ? run : undefined;
    },
    opened: (learner = ''): Set<string> => learners.get(learner)?.opened ?? new Set(),
  };
}

async function begin({ createIssuer, tell }: RunsParts, { id, code, text }: OpenLesson, learner: string) {
  const own = await createIssuer(issuerOf(code), { id: `${id}-${learner.slice(0, 8)}`, lifetime });
  const { issuer } = own;
  tell({ type: 'lesson.started', lesson: id, issuer });
  const quizzes = text.quizzes.map(({ question }) => ({ id: question.id, checks: [answer(question)] }));
  const onDone = (task: string, doneBy: string | undefined) =>
    tell({ type: 'task.done', lesson: id, task, issuer, ...defined({ doneBy }) });
  return createRun({ own, tasks: [...code.tasks, ...quizzes], onDone });
}

async function load({ id, load }: LessonFolder): Promise<OpenLesson> {
  const { code, text } = await load();
  return { id, code, text: readLessonText(id, text) };
}

/** Whatever the sandbox is set to, a lesson is the same; a teacher talks, so that a code lives long. */
function issuerOf({ issuer }: LessonCode): ShortLivedConfig {
  return { ...defaults, ...issuer };
}

const defaults: ShortLivedConfig = {
  codeLifetime: 1800,
  label: 'Lesson',
  loginMode: 'picker',
  consent: false,
  recording: true,
  dashboard: true,
  errorUri: true,
  historySize: 500,
};

function factsOf({ id, text: { title, minutes, needs, references } }: OpenLesson): LessonFacts {
  return { id, title, minutes, needs, references };
}

function progressOf({ id, code, text }: OpenLesson, learner: string, run: LessonRun | undefined): LessonProgress {
  const results = run?.results();
  const ids = [...code.tasks.map(task => task.id), ...text.quizzes.map(({ question }) => question.id)];
  const tasks = ids.map(task => taskProgress(task, results?.get(task)));
  return { lesson: id, learner, ...defined({ issuer: run?.issuer }), tasks };
}

function taskProgress(task: string, result: TaskResult = { state: 'not yet' }): TaskProgress {
  const { state } = result;
  if (state === 'not yet') return { task, state };
  const { requestId } = result;
  return { task, state, ...defined({ requestId }), ...(state === 'close' ? { difference: result.difference } : {}) };
}
