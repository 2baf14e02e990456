import type { answer, chain, exchange, seen } from './checks/check.ts';
import type { LessonCode } from './lesson.ts';

export type {
  AnswerCheck,
  ChainCheck,
  ChainOptions,
  ChainStep,
  ExchangeCheck,
  ExchangeReading,
  Question,
  RequestPattern,
  SeenCheck,
  SeenOptions,
  TaskCheck,
} from './checks/check.ts';
export type { Pattern, WantedRequest } from './checks/pattern.ts';
export type { LessonCode, LessonTask } from './lesson.ts';
export type { LessonSolver, NearMiss, Participant, SolverPage, TaskSolver } from './solver.ts';

/** The four forms of a check. A lesson from a folder cannot import them, because nothing is installed beside it. */
export interface LessonKit {
  readonly seen: typeof seen;
  readonly chain: typeof chain;
  readonly exchange: typeof exchange;
  readonly answer: typeof answer;
}

/** The type of the export `lesson` in a `lesson.ts`. The kit makes its checks. */
export type Lesson = (kit: LessonKit) => LessonCode;
