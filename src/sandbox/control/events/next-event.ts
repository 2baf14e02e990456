import type { SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import { firstMatching, inTurns, type Turns, turnsUntil } from '../../../base/turns.ts';

/** Options of a wait for an event. */
export interface Waiting {
  /** Only events after this id. Default: all. */
  readonly after?: number;
  /** Seconds. */
  readonly timeout: number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Where the search of the kept events gets its turns from. Default: the event loop. */
  readonly turns?: Turns;
}

/**
 * The first event after `after` that is asked for, among those kept or still to come. The kept ones are searched over several
 * turns; an event that comes meanwhile is heard, and waits until the search has found none before it.
 * @returns undefined when none has come after so many seconds, or the signal ended the waiting
 */
export async function nextEvent(
  events: EventLog,
  wanted: (event: SandboxEvent) => boolean,
  { after = 0, timeout, signal, turns = turnsUntil(signal) }: Waiting,
): Promise<SandboxEvent | undefined> {
  const kept = events.keptSince(after);
  // in the same turn as the line above: between the two no event is lost
  const heard = hear(events, event => event.id > after && wanted(event), { timeout, signal });
  try {
    const [found] = await inTurns(firstMatching(kept, wanted, 1), turns);
    return found ?? (await heard.event);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    heard.end();
  }
}

/** The first event that comes; undefined where the time or the signal ended the waiting first. */
function hear(
  events: EventLog,
  wanted: (event: SandboxEvent) => boolean,
  { timeout, signal }: Pick<Waiting, 'timeout' | 'signal'>,
) {
  const over = new AbortController();
  const event = new Promise<SandboxEvent | undefined>(resolve => {
    const stop = events.subscribe(each => {
      if (wanted(each)) end(each);
    });
    const timer = setTimeout(() => end(), timeout * 1000);
    const end = (came?: SandboxEvent) => {
      stop();
      clearTimeout(timer);
      resolve(came);
    };
    AbortSignal.any([signal, over.signal]).addEventListener('abort', () => end(), { once: true });
    if (signal.aborted) end();
  });
  return { event, end: () => over.abort() };
}
