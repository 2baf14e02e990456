import type { SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { Pieces } from '../../../base/turns.ts';
import { firstMatching } from '../../../base/turns.ts';

/** Selection among the kept events. */
export interface WantedEvents {
  readonly wanted: (event: SandboxEvent) => boolean;
  /** Only events after this id, the oldest of them; undefined: the newest of all. */
  readonly after: number | undefined;
  /** At most so many. */
  readonly limit: number;
}

export interface FoundEvents {
  /** Oldest first. */
  readonly found: readonly SandboxEvent[];
  /** The `after` of the next call. */
  readonly last_id: number;
  /** False where events after `after` are forgotten. */
  readonly complete: boolean;
}

/** Looks through the kept events one by one; what happens meanwhile is left to the next call. */
export function* findEvents(events: EventLog, { wanted, after, limit }: WantedEvents): Pieces<FoundEvents> {
  const from = after ?? 0;
  const { lastId } = events;
  const complete = from <= lastId && from >= events.newestForgotten;
  const kept = events.keptSince(from);
  if (after === undefined) {
    const found = yield* firstMatching(kept.reverse(), wanted, limit);
    return { found: found.reverse(), last_id: lastId, complete };
  }
  const found = yield* firstMatching(kept, wanted, limit + 1);
  const some = found.slice(0, limit);
  return { found: some, last_id: found.length > limit ? (some.at(-1)?.id ?? after) : lastId, complete };
}
