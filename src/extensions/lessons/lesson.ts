import type { MintRequest } from '../../sandbox/control/mint-request.ts';
import type { ShortLivedConfig } from '../../sandbox/control/short-lived.ts';
import type { TaskCheck } from './checks/check.ts';
import type { LabParts } from './lab/lab.ts';

/** A task of `lesson.ts`; `lesson.md` has its text below the heading `## Task <id>: <title>`. */
export interface LessonTask {
  readonly id: string;
  /** The task is done when all of them are. */
  readonly checks: readonly TaskCheck[];
  /**
   * The id of an earlier task: no request before that one is done does this task. So a slip in the earlier task, such as a mistyped
   * secret, is not taken for the deed of this one.
   */
  readonly after?: string;
  /**
   * Sentences for a learner whose newest request is close but wrong. The key is the reason of the refusal (`pkce_mismatch`), or the
   * one field or parameter that differs. Without a sentence, the page shows the explanation of the refusal.
   */
  readonly close?: Readonly<Record<string, string>>;
}

/** The code of a lesson: the configuration of its issuer, and the checks of its tasks. */
export interface LessonCode {
  /** The clients, users and lifetimes of the learner's own issuer. */
  readonly issuer: ShortLivedConfig;
  readonly tasks: readonly LessonTask[];
  /** The page offers to hold the next redirect to a client. */
  readonly holdsRedirect?: true;
  /** The client and user of the tokens with which the lesson calls the learner's API, and the API that they are for. */
  readonly probe?: Required<Pick<MintRequest, 'client' | 'user' | 'audience'>>;
  /** The client that the client report examines, and the checks that must pass, each with the place to mend in the file of the lesson. */
  readonly report?: { readonly client: string; readonly places: Readonly<Record<string, string>> };
  /** The page draws this from the learner's own requests. */
  readonly drawing?: DrawingName;
  /** The lesson is a lab. Its tasks are `attack`, `again`, and with a desk `goal`. */
  readonly lab?: LabParts;
}

/**
 * `scope-rings`: the scopes of the latest sign-in, asked for, registered and consented. `proof-beside-token`: the DPoP proof and the
 * token of the latest API request, with the thumbprints of their keys.
 */
export const drawingNames = ['scope-rings', 'proof-beside-token'] as const;
export type DrawingName = (typeof drawingNames)[number];

/** The code of a lesson of Grantbox itself. */
export type BuiltInLesson = LessonCode;

/** A lesson that can be loaded. A folder has its three files: `lesson.md`, `lesson.ts`, `solve.ts`. */
export interface LessonFolder {
  /** The name of the folder without its number, which addresses use: `client-credentials`. */
  readonly id: string;
  load(): Promise<{ readonly lesson: LessonCode; readonly text: string }>;
}
