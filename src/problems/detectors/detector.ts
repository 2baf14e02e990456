import { defined } from '../../defined.ts';
import type { EventOf, SandboxEvent } from '../../events/event.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Pieces } from '../../turns/in-turns.ts';
import { compareWords } from '../compare.ts';
import type { Known } from '../known.ts';
import type { Comparison, Explanation, ProposedFix } from '../problem.ts';

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

export function detector(name: string, look: Detector['look']): Detector {
  return { name, look };
}

/** What a detector has to say of a failure, besides its title. */
interface Told extends Pick<Explanation, 'why' | 'others' | 'references'> {
  readonly comparison: Comparison;
  readonly fixes: readonly (string | ProposedFix)[];
}

/**
 * A failure that showed in an event; `tell` is asked when somebody reads of it. The server sees one half only: what it says
 * of a silence is likely, never certain.
 */
export function failureIn(
  { at, id: eventId, requestId }: SandboxEvent,
  title: string,
  tell: () => Told,
  client_id?: string,
): SilentFailure {
  const explain = (): Explanation => {
    const { fixes, ...told } = tell();
    const proposed = fixes.map(fix => (typeof fix === 'string' ? { text: fix, snippets: [] } : fix));
    return { title, ...told, certainty: 'likely', fixes: proposed };
  };
  return { at, eventId, requestId, title, ...defined({ client_id }), explain };
}

/** Two values that should have been one, or two that should not. */
export function sideBySide(sentLabel: string, sent: string, expectedLabel: string, expected: string): Comparison {
  return compareWords(sent, expected, { sentLabel, expectedLabel });
}
