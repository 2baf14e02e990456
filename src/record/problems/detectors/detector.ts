import { defined } from '../../../base/defined.ts';
import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import type { Pieces } from '../../../base/turns/in-turns.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { compareWords } from '../compare.ts';
import type { Known } from '../known.ts';
import type { Comparison, Explanation, ProposedFix } from '../problem.ts';

export interface SilentFailure {
  readonly client_id?: string;
  /** A short statement with names in it. Text between backticks is code. */
  readonly title: string;
  /** Seconds. */
  readonly at: number;
  /** The id of the event that showed the failure. */
  readonly eventId: number;
  readonly requestId: string;
  explain(): Explanation;
}

/** The history that all detectors read, computed once for each state of the log. */
export interface Recent {
  /** Returns the real seconds since the event. A moved clock of the sandbox does not count. */
  since(event: SandboxEvent): number;
  /** All recorded requests of the history, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Returns the requests to one endpoint, by its name in events. */
  at(endpoint: string): readonly RecordedRequest[];
  readonly codes: readonly EventOf<'code.issued'>[];
  readonly tokens: readonly EventOf<'token.issued'>[];
}

export interface Detector {
  /** The code of its problems, such as `code_not_redeemed`. */
  readonly name: string;
  /** Finds all current failures, oldest first, without those that were resolved later. Each request is a piece. */
  look(recent: Recent, known: Known): Pieces<readonly SilentFailure[]>;
}

export function detector(name: string, look: Detector['look']): Detector {
  return { name, look };
}

/** The explanation of a failure without its title. */
interface Told extends Pick<Explanation, 'why' | 'others' | 'references'> {
  readonly comparison: Comparison;
  readonly fixes: readonly (string | ProposedFix)[];
}

/**
 * Makes a failure from the event that showed it. `tell` runs when somebody opens the explanation. Its certainty is always `likely`,
 * because the server sees only its own side.
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

/** Compares two values that are only described. */
export function sideBySide(sentLabel: string, sent: string, expectedLabel: string, expected: string): Comparison {
  return compareWords(sent, expected, { sentLabel, expectedLabel });
}
