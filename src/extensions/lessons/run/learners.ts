import type { TaskResult } from '../checks/check.ts';
import type { LessonRun, SavedRun } from './lesson-run.ts';
import type { Recall } from './recall.ts';

export interface Learner {
  /** Runs in the order of their start. */
  readonly runs: Map<string, LessonRun>;
  /** Lessons of an earlier start of the sandbox. */
  readonly saved: Map<string, SavedRun>;
  /** Opened hints and solutions, which stay open: `client-credentials/token/1`. */
  readonly opened: Set<string>;
  /** Missed questions, each by its lesson: `discovery/same`. */
  readonly recalls: Map<string, Recall>;
  /** The last start of a lesson, which may still be running. */
  starting?: Promise<unknown>;
}

/** The progress of a learner, as a file has it. */
export interface SavedLearner {
  /** Progress by the id of the lesson. */
  readonly lessons: Readonly<Record<string, SavedRun>>;
  readonly opened: readonly string[];
  readonly recalls?: Readonly<Record<string, Recall>> | undefined;
}

export type Learners = ReturnType<typeof createLearners>;

const mostLearners = 200;

/** The learners since the start. Beyond the limit, the oldest is dropped. */
export function createLearners(newId: () => string) {
  const learners = new Map<string, Learner>();

  function forget(id: string): void {
    for (const run of learners.get(id)?.runs.values() ?? []) run.end();
    learners.delete(id);
  }

  /** Undefined after its issuer has ended. */
  function runOf(lesson: string, learner = ''): LessonRun | undefined {
    const run = learners.get(learner)?.runs.get(lesson);
    return run?.isLiving() === true ? run : undefined;
  }

  return {
    has: (id: string) => learners.has(id),
    /** Finds a learner. An unknown id, such as after a restart, gets a new learner. */
    known(id: string | undefined): readonly [string, Learner] {
      const known = id === undefined ? undefined : learners.get(id);
      if (id !== undefined && known !== undefined) return [id, known];
      const [oldest] = learners.keys();
      if (learners.size >= mostLearners && oldest !== undefined) forget(oldest);
      const made: readonly [string, Learner] = [newId(), newLearner({ lessons: {}, opened: [] })];
      learners.set(...made);
      return made;
    },
    run: runOf,
    /** Lessons of a learner that have an issuer, in the order of their start. */
    running: (id: string): readonly string[] => [...(learners.get(id)?.runs.keys() ?? [])],
    runAt(lesson: string, issuer: string): LessonRun | undefined {
      const running = [...learners.values()].map(({ runs }) => runs.get(lesson));
      return running.find(run => run?.issuer === issuer && run.isLiving());
    },
    /** Ids of opened hints and solutions. */
    opened: (learner = ''): Set<string> => learners.get(learner)?.opened ?? new Set(),
    /** Missed questions, by `lesson/question`. */
    recalls: (learner = ''): Map<string, Recall> => learners.get(learner)?.recalls ?? new Map(),
    /**
     * The results by the id of the task or quiz. They remain after the issuer of the lesson has ended. `inWork`: the task that the
     * newest request is compared with.
     */
    results(lesson: string, id = '', inWork?: string): ReadonlyMap<string, TaskResult> {
      const learner = learners.get(id);
      const done = Object.keys((learner && savedOf(learner, lesson)?.done) ?? {});
      return runOf(lesson, id)?.results(inWork) ?? new Map(done.map(task => [task, { state: 'done' }]));
    },
    /** Returns the tasks and answers of a learner in a lesson; undefined if they never began it. */
    savedRun(lesson: string, id = ''): SavedRun | undefined {
      const learner = learners.get(id);
      return learner && savedOf(learner, lesson);
    },
    /** Exports the progress of a learner for a file. */
    save(id: string): SavedLearner {
      const learner = learners.get(id);
      return learner === undefined ? { lessons: {}, opened: [] } : saved(learner);
    },
    /** Imports a learner from such a file. Their lessons continue when they are started again. */
    restore(id: string, progress: SavedLearner): void {
      forget(id);
      learners.set(id, newLearner(progress));
    },
    /** Ends the issuers of a learner and forgets the learner. */
    forget,
  };
}

function newLearner({ lessons, opened, recalls = {} }: SavedLearner): Learner {
  const saved = new Map(Object.entries(lessons));
  return { runs: new Map(), saved, opened: new Set(opened), recalls: new Map(Object.entries(recalls)) };
}

/** The progress of a learner in a lesson, including earlier starts of the sandbox. */
export function savedOf({ runs, saved }: Learner, lesson: string): SavedRun | undefined {
  return runs.get(lesson)?.saved() ?? saved.get(lesson);
}

/** Adds a run at the end. If there are more than `most`, the issuers of the oldest ones end. */
export function setRun(
  { runs, saved }: Learner,
  lesson: string,
  run: LessonRun,
  most = Number.POSITIVE_INFINITY,
): void {
  runs.delete(lesson);
  runs.set(lesson, run);
  saved.delete(lesson);
  for (const [id, oldest] of [...runs].slice(0, Math.max(0, runs.size - most))) {
    oldest.end();
    runs.delete(id); // frees its events
    saved.set(id, oldest.saved());
  }
}

export function forgetLesson({ runs, saved, opened, recalls }: Learner, lesson: string): void {
  runs.get(lesson)?.end();
  runs.delete(lesson);
  saved.delete(lesson);
  for (const kept of [opened, recalls])
    for (const key of kept.keys()) if (key.startsWith(`${lesson}/`)) kept.delete(key);
}

function saved(learner: Learner): SavedLearner {
  const ids = [...new Set([...learner.saved.keys(), ...learner.runs.keys()])];
  const lessons = ids.flatMap(id => {
    const run = savedOf(learner, id);
    return run === undefined ? [] : [[id, run] as const];
  });
  const recalls = Object.fromEntries(learner.recalls);
  return { lessons: Object.fromEntries(lessons), opened: [...learner.opened], recalls };
}
