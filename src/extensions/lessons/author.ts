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
export type {
  LabBrowser,
  LabDesk,
  LabHands,
  LabParts,
  LabStep,
  LabVictim,
  LabWeakness,
} from './lab/lab.ts';
export type { LessonCode, LessonTask } from './lesson.ts';
export type { LessonSolver, NearMiss, Participant, SolverPage, TaskSolver } from './solver.ts';

/** What a lesson would import if it were not in a folder beside which nothing is installed. */
export interface LessonKit {
  readonly seen: typeof seen;
  readonly chain: typeof chain;
  readonly exchange: typeof exchange;
  readonly answer: typeof answer;
  /** `throw stop('…')` ends a step of a lab early. The page shows the message. */
  readonly stop: (message: string) => Error;
}

/** The type of the export `lesson` in a `lesson.ts`. The kit has its checks. */
export type Lesson = (kit: LessonKit) => LessonCode;
