import type { ShortLivedConfig } from '../control/short-lived.ts';
import type { TaskCheck } from './checks/check.ts';

/** A task of `lesson.ts`; `lesson.md` has its text below the heading `## Task <id>: <title>`. */
export interface LessonTask {
  readonly id: string;
  /** The task is done when all of them are. */
  readonly checks: readonly TaskCheck[];
}

/** The code of a lesson: what its issuer is, and how its tasks are checked. */
export interface LessonCode {
  /** The clients, users and lifetimes of the learner's own issuer. */
  readonly issuer: ShortLivedConfig;
  readonly tasks: readonly LessonTask[];
}

/** A lesson that can be loaded. A folder has its three files: `lesson.md`, `lesson.ts`, `solve.ts`. */
export interface LessonFolder {
  /** The name of the folder without its number, as it is in addresses: `client-credentials`. */
  readonly id: string;
  load(): Promise<{ readonly code: LessonCode; readonly text: string }>;
}

/** Identity of a code for the compiler: `export const lesson = lessonCode({ … })`. */
export function lessonCode(code: LessonCode): LessonCode {
  return code;
}
