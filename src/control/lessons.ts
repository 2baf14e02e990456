import type { IncomingMessage } from 'node:http';

import type { ProbeCase } from '../events/lesson-events.ts';

/** A lesson, as a list shows it. */
export interface LessonFacts {
  readonly id: string;
  readonly title: string;
  readonly minutes: number;
  readonly needs: string;
  readonly references: readonly string[];
  /** In a lab, the learner attacks, switches a defence on, and attacks again. */
  readonly kind: 'lesson' | 'lab';
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

/** A call of the learner's API: a GET with these headers. */
export interface ProbeRequest {
  readonly case: ProbeCase;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How the learner's API answered. */
export interface ProbeAnswer {
  readonly case: ProbeCase;
  /** Absent where there was no answer. */
  readonly status?: number | undefined;
  /** The header `WWW-Authenticate`. */
  readonly challenge?: string | undefined;
  /** Why there was no answer. */
  readonly failure?: string | undefined;
}

/** One row of the report about an API. */
export interface ProbeRow {
  readonly case: ProbeCase;
  readonly title: string;
  /** The rule that the API keeps if its answer is the expected one. */
  readonly proves: string;
  /** `200`, or `401 invalid_token`. */
  readonly expected: string;
  readonly state: 'passed' | 'failed' | 'open';
  readonly status?: number;
  readonly challenge?: string;
  /** The difference between the answer and the expected one, as a sentence. */
  readonly problem?: string;
}

/** A probe of an API: what to send next, and what is known so far. */
export interface ProbeReport {
  /** The issuer that the API has to trust. */
  readonly issuer: string;
  readonly requests: readonly ProbeRequest[];
  readonly rows: readonly ProbeRow[];
}

/** A lab in its current round: with the defence off or on. */
export interface LabReport {
  readonly isDefended: boolean;
  /** The steps that ran, in order. */
  readonly steps: readonly {
    readonly step: string;
    readonly seen: readonly { readonly label: string; readonly value: string }[];
    /** The reason why the step ended early. */
    readonly stopped?: string;
  }[];
}

/** A learner by their id, or by the issuer of their lesson. */
export interface ProbedLearner {
  readonly learner?: string | undefined;
  readonly issuer?: string | undefined;
}

/** The lessons of a sandbox, as the control API sees them. */
export interface LessonDesk {
  /** The learner whose cookie a request has; undefined for a new one. */
  learnerOf(req: Pick<IncomingMessage, 'headers'>): string | undefined;
  /** `Set-Cookie` that keeps the learner for a day. */
  setCookie(learner: string): string;
  list(): Promise<readonly LessonFacts[]>;
  /** Starts a lesson in an issuer of the learner's own; a lesson that runs goes on. Undefined for an unknown lesson. */
  start(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
  /** Starts it again in a new issuer at the same address: nothing of before is left. */
  reset(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
  progress(lesson: string, learner: string | undefined): Promise<LessonProgress | undefined>;
  /** Requests for the learner's API. Undefined for a lesson that has none, or that the learner has not started. */
  probe(lesson: string, who: ProbedLearner): Promise<ProbeReport | undefined>;
  /** Runs a step of the attack of a lab, or all of them. Undefined for a lesson that is no lab, or that has not started. */
  attack(lesson: string, who: ProbedLearner, step: string | undefined): Promise<LabReport | undefined>;
  /** Switches the defence of a lab. Undefined as above. */
  defend(lesson: string, who: ProbedLearner, isDefended: boolean): Promise<LabReport | undefined>;
  /** Takes the answers of that API; with `rotate` there is one more request, signed by new keys. */
  takeAnswers(
    lesson: string,
    who: ProbedLearner,
    answers: readonly ProbeAnswer[],
    rotate: boolean,
  ): Promise<ProbeReport | undefined>;
}
