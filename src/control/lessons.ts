/** A lesson, as a list shows it. */
export interface LessonFacts {
  readonly id: string;
  readonly title: string;
  readonly minutes: number;
  readonly needs: string;
  readonly references: readonly string[];
}

/** State of a task or quiz. `close`: one request matched up to one field. */
export interface TaskProgress {
  readonly task: string;
  readonly state: 'done' | 'close' | 'not yet';
  /** The request that did it, or came close. */
  readonly requestId?: string;
  /** What was off: the field, its value, the expected value. */
  readonly difference?: { readonly field: string; readonly sent?: string; readonly expected: string };
}

/** How far a learner is in a lesson. */
export interface LessonProgress {
  readonly lesson: string;
  /** Names the learner in later calls; the cookie of a browser has it, too. */
  readonly learner: string;
  /** The learner's own issuer; absent before the start and after its end. */
  readonly issuer?: string;
  readonly tasks: readonly TaskProgress[];
}

/** The lessons of a sandbox, as the control API sees them. */
export interface LessonDesk {
  /** The name of the cookie with the learner. */
  readonly cookie: string;
  /** `Set-Cookie` that keeps the learner for a day. */
  setCookie(learner: string): string;
  list(): Promise<readonly LessonFacts[]>;
  /** Starts a lesson in an issuer of the learner's own; a lesson that runs goes on. Undefined for an unknown lesson. */
  start(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
  /** Starts it again in a new issuer at the same address: nothing of before is left. */
  reset(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
  progress(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
}
