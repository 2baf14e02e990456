import type { Known } from '../known.ts';
import type { Explanation } from '../problem.ts';

/** Something that went wrong without any refusal. */
export interface SilentFailure {
  readonly client_id?: string;
  /** Short, with names in it. */
  readonly title: string;
  /** Seconds. */
  readonly at: number;
  /** Of the event that showed it. */
  readonly eventId: number;
  readonly requestId: string;
  explain(): Explanation;
}

/** What looks for one kind of silent failure. */
export interface Detector {
  /** `code_not_redeemed`: the code of its problems. */
  readonly name: string;
  /** Begins to watch a log. */
  watch(known: Known): Watch;
}

/** Like every reader of the log, it catches up when it is asked. */
export interface Watch {
  /** All failures that hold now, oldest first; one that has mended itself is not among them any more. */
  found(): readonly SilentFailure[];
}
