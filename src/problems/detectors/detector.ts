import type { EventOf, SandboxEvent } from '../../events/event.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Pieces } from '../../turns/in-turns.ts';
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

/** What a detector looks through; the same for all of them, made once for each state of the log. */
export interface Recent {
  /** Real seconds since the event: where the clock of the sandbox was moved, no time has passed for the application. */
  since(event: SandboxEvent): number;
  /** Recorded requests that are kept, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Of one endpoint, as in events. */
  at(endpoint: string): readonly RecordedRequest[];
  readonly codes: readonly EventOf<'code.issued'>[];
  readonly tokens: readonly EventOf<'token.issued'>[];
}

/** What looks for one kind of silent failure. */
export interface Detector {
  /** `code_not_redeemed`: the code of its problems. */
  readonly name: string;
  /** All failures that hold now, oldest first; one that has mended itself is not among them any more. Each request is a piece. */
  look(recent: Recent, known: Known): Pieces<readonly SilentFailure[]>;
}
