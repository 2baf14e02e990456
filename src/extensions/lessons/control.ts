import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { described, type OutputOf, optional, text } from '../../sandbox/control/described.ts';

export const lessonFacts = v.object({
  id: v.string(),
  title: v.string(),
  minutes: v.number(),
  needs: text('Tools that the learner needs'),
  references: described(v.array(v.string()), 'Specifications and their sections: `RFC 6749 §4.4`'),
  kind: described(
    v.picklist(['lesson', 'lab']),
    'In a lab, the learner attacks, switches a defence on, and attacks again',
  ),
});

/** A lesson, as a list shows it. */
export type LessonFacts = OutputOf<typeof lessonFacts>;

export const lessonProgress = v.object({
  lesson: v.string(),
  learner: text('Names the learner in later calls; empty before the first start'),
  issuer: optional(v.string(), "The learner's own issuer; absent before the start and after its end"),
  tasks: v.array(
    v.object({
      task: v.string(),
      state: described(
        v.picklist(['done', 'close', 'not yet']),
        '`close`: the newest request matched up to one field of the task in work',
      ),
      requestId: optional(v.string(), 'The request that did it, or of which `says` speaks'),
      says: optional(v.string(), 'Only of the task in work: what is to say of the newest request'),
      difference: optional(
        v.object({
          field: v.string(),
          sent: v.optional(v.string()),
          expected: v.string(),
          has: described(v.array(v.string()), 'Names of the fields that the event or the request had'),
        }),
        'The field that was off',
      ),
    }),
  ),
});

/** How far a learner is in a lesson. */
export type LessonProgress = OutputOf<typeof lessonProgress>;

/** State of a task or quiz. */
export type TaskProgress = LessonProgress['tasks'][number];

export const learnerQuery = v.strictObject({
  learner: optional(v.string(), 'The `learner` of an earlier response. Default: the one of the cookie'),
});

export const progressQuery = v.strictObject({
  ...learnerQuery.entries,
  task: optional(v.string(), 'The task to look at as the one in work. Default: the one after the last that was done'),
});

export const probedQuery = v.strictObject({
  ...learnerQuery.entries,
  issuer: optional(v.string(), "The learner's own issuer, in place of `learner`"),
});

/** A learner by their id, or by the issuer of their lesson. */
export type ProbedLearner = OutputOf<typeof probedQuery>;

const caseName = v.picklist(['good', 'expired', 'audience', 'issuer', 'tampered', 'none', 'id-token', 'rotated']);

export const probeReport = v.object({
  issuer: text('The issuer that the API has to trust'),
  requests: described(
    v.array(v.object({ case: caseName, title: v.string(), headers: v.record(v.string(), v.string()) })),
    'Send each as a GET with these headers, in this order, and follow no redirect',
  ),
  rows: v.array(
    v.object({
      case: caseName,
      title: v.string(),
      proves: text('The rule that the API keeps if its response is the expected one'),
      expected: v.string(),
      state: v.picklist(['passed', 'failed', 'open']),
      status: v.optional(v.number()),
      challenge: v.optional(v.string()),
      problem: optional(v.string(), 'The difference between the response and the expected one'),
    }),
  ),
});

/** A probe of an API: what to send next, and what is known so far. */
export type ProbeReport = OutputOf<typeof probeReport>;

/** A call of the learner's API: a GET with these headers. */
export type ProbeRequest = ProbeReport['requests'][number];

/** One row of the report about an API. */
export type ProbeRow = ProbeReport['rows'][number];

export const probeAnswer = v.strictObject({
  case: caseName,
  status: optional(v.number(), 'The HTTP status; left out where there was no response'),
  challenge: optional(v.string(), 'The header WWW-Authenticate'),
  failure: optional(v.string(), 'Why there was no response'),
});

/** How the learner's API answered. */
export type ProbeAnswer = OutputOf<typeof probeAnswer>;

export const labReport = v.object({
  isDefended: v.boolean(),
  steps: v.array(
    v.object({
      step: v.string(),
      seen: v.array(v.object({ label: v.string(), value: v.string() })),
      stopped: optional(v.string(), 'The reason why the step ended early'),
    }),
  ),
});

/** A lab in its current round: with the defence off or on. */
export type LabReport = OutputOf<typeof labReport>;

/** Begins `stopped` of a step with a mistake in its code. */
export const stepError = 'This step has an error: ';

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
  /** `task` is looked at as the one in work. Default: the first open one after the one that was done last. */
  progress(lesson: string, learner: string | undefined, task?: string): Promise<LessonProgress | undefined>;
  /** Requests for the learner's API. Undefined for a lesson that has none, or that the learner has not started. */
  probe(lesson: string, who: ProbedLearner): Promise<ProbeReport | undefined>;
  /** Runs a step of the attack of a lab, or all of them; `victim`, or `victim:ID`, is the victim, who opens `page`. Undefined for a lesson that is no lab, or that has not started. */
  attack(lesson: string, who: ProbedLearner, step: string | undefined, page?: string): Promise<LabReport | undefined>;
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
