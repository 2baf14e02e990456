import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { addTo } from '../../../base/text/add-to.ts';
import { RecordedRequest } from '../../flows/recorded-request.ts';
import { compareWords } from '../compare.ts';
import type { Known } from '../known.ts';
import type { Comparison, Explanation, ProposedFix, SilentFailure } from '../problem.ts';

type SeenEvent = EventOf<'code.issued' | 'token.issued' | 'error.returned'>;

/** Reads what a detector needs of an event; undefined for an event that does not concern it. */
interface Sources<Clue> {
  request?(request: RecordedRequest, known: Known): Clue | undefined;
  event?(event: SeenEvent, known: Known): Clue | undefined;
}

/** Real times of events. A moved clock of the sandbox does not count. */
export interface RealTime {
  /** Whether more seconds have passed since the event. */
  hasPassed(event: SandboxEvent, seconds: number): boolean;
  /** The seconds from one event to a later one. */
  between(first: SandboxEvent, second: SandboxEvent): number;
}

/** A detector at work. It reads each event once, and keeps no more than its clues. */
interface Watch {
  read(seen: RecordedRequest | SeenEvent): boolean;
  forget(event: SandboxEvent): void;
  /** Finds all current failures, oldest first, without those that were resolved later. */
  look(time: RealTime): readonly SilentFailure[];
}

export interface Detector {
  /** The code of its problems, such as `code_not_redeemed`. */
  readonly name: string;
  watch(known: Known): Watch;
}

/** `look` gets the clues of all kept events, oldest first. */
export function detector<Clue>(
  name: string,
  sources: Sources<Clue>,
  look: (clues: readonly Clue[], time: RealTime, known: Known) => readonly SilentFailure[],
): Detector {
  function watch(known: Known): Watch {
    const clues = new Map<SandboxEvent, Clue>();
    return {
      read(seen) {
        const isRequest = seen instanceof RecordedRequest;
        const clue = isRequest ? sources.request?.(seen, known) : sources.event?.(seen, known);
        if (clue !== undefined) clues.set(isRequest ? seen.event : seen, clue);
        return clue !== undefined;
      },
      forget: event => void clues.delete(event),
      look: time => (clues.size === 0 ? [] : look([...clues.values()], time, known)),
    };
  }
  return { name, watch };
}

/** Clues with the same key, in the order of their first one. */
export function alike<Clue>(clues: readonly Clue[], keyOf: (clue: Clue) => string): readonly (readonly Clue[])[] {
  const groups = new Map<string, Clue[]>();
  for (const clue of clues) addTo(groups, keyOf(clue), clue);
  return [...groups.values()];
}

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
  return { at, eventId, requestId, title, client_id, explain };
}

/** Compares two values that are only described. */
export function sideBySide(sentLabel: string, sent: string, expectedLabel: string, expected: string): Comparison {
  return compareWords(sent, expected, { sentLabel, expectedLabel });
}
