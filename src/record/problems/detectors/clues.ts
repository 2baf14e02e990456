import type { EventOf, EventType, SandboxEvent } from '../../../base/events/event.ts';
import type { Pieces } from '../../../base/turns/in-turns.ts';
import { RecordedRequest } from '../../flows/recorded-request.ts';
import { hasFault } from '../faulted.ts';
import type { Known } from '../known.ts';
import type { Detector } from './detector.ts';

const typesRead = ['request.completed', 'code.issued', 'token.issued', 'error.returned', 'fault.applied'] as const;

/** Shows each event of a log to the detectors once. They forget what the log forgets. */
export function createClues(known: Known, detectors: readonly Detector[]) {
  const { events } = known;
  const watches = detectors.map(({ name, watch }) => ({ name, ...watch(known) }));
  /** The events that are clues. Of each type, the log forgets the oldest first. */
  const kept = new Map<EventType, Set<SandboxEvent>>(typesRead.map(type => [type, new Set()]));
  let readTo = 0;
  let isChanged = false;

  function drop(event: SandboxEvent): void {
    if (kept.get(event.type)?.delete(event) !== true) return;
    for (const watch of watches) watch.forget(event);
    isChanged = true;
  }

  function take(event: EventOf<(typeof typesRead)[number]>): void {
    const { type, requestId } = event;
    if (!events.isKept(event)) return;
    // a request that met a fault is not a failure of the app
    if (type === 'fault.applied') for (const each of events.ofRequest(requestId)) drop(each);
    if (type === 'fault.applied' || (events.kept('fault.applied') > 0 && hasFault(events, requestId))) return;
    const seen = type === 'request.completed' ? new RecordedRequest(event, events.ofRequest(requestId)) : event;
    if (watches.filter(watch => watch.read(seen)).length === 0) return;
    kept.get(type)?.add(event);
    isChanged = true;
  }

  return {
    watches,
    /** Reads what is new; each event is a piece. Tells whether there are other clues than before. */
    *read(): Pieces<boolean> {
      isChanged = false;
      for (const ofType of kept.values()) {
        for (const event of ofType) {
          if (events.isKept(event)) break;
          drop(event);
          yield;
        }
      }
      const unread = events.keptSince(readTo, typesRead);
      readTo = events.lastId;
      for (const event of unread) {
        take(event);
        yield;
      }
      return isChanged;
    },
  };
}
