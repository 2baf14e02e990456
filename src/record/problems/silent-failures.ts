import type { EventOf, EventType, SandboxEvent } from '../../base/events/event.ts';
import { addTo } from '../../base/text/add-to.ts';
import { atOnce, type Pieces } from '../../base/turns.ts';
import { RecordedRequest } from '../flows/recorded-request.ts';
import type { Detector, RealTime } from './detectors/index.ts';
import { hasFault } from './faulted.ts';
import type { Known } from './known.ts';
import type { SilentFailure, SilentFailures, SilentGroup } from './problem.ts';

interface Found {
  readonly groups: readonly SilentGroup[];
  /** Real time in Unix seconds. */
  readonly from: number;
  readonly until: number;
}

/** Groups the failures that the detectors find by client. They look `later` seconds from now, if nothing more happens until then. */
export function createSilentFailures(known: Known, detectors: readonly Detector[], later = 0): SilentFailures {
  const { events } = known;
  const clues = createClues(known, detectors);
  let found: Found | undefined;
  let begun: Pieces<void> | undefined;

  function* work(): Pieces<void> {
    if (yield* clues.read()) found = undefined;
    const now = events.wall() + later;
    if (found !== undefined && now >= found.from && now <= found.until) return;
    let until = Number.POSITIVE_INFINITY;
    const time: RealTime = {
      hasPassed(event, seconds) {
        const end = events.wallOf(event) + seconds;
        if (now <= end) until = Math.min(until, end);
        return now > end;
      },
      between: (first, second) => events.wallOf(second) - events.wallOf(first),
    };
    const groups: SilentGroup[] = [];
    for (const { name, look } of clues.watches) {
      groups.push(...byClient(name, look(time)));
      yield;
    }
    found = { groups, from: now, until };
  }

  function* catchUp(): Pieces<void> {
    begun ??= work();
    const own = begun;
    while (begun === own && own.next().done !== true) yield;
    if (begun === own) begun = undefined;
  }

  return {
    catchUp,
    all() {
      if (begun !== undefined) atOnce(catchUp());
      atOnce(catchUp());
      return found?.groups ?? [];
    },
  };
}

function byClient(name: string, found: readonly SilentFailure[]): readonly SilentGroup[] {
  const groups = new Map<string | undefined, SilentFailure[]>();
  for (const failure of found) addTo(groups, failure.client_id, failure);
  return [...groups].flatMap(([client_id, failures]) => {
    const [first] = failures;
    const newest = failures.at(-1);
    return first === undefined || newest === undefined ? [] : [{ name, client_id, failures, first, newest }];
  });
}

const typesRead = ['request.completed', 'code.issued', 'token.issued', 'error.returned', 'fault.applied'] as const;

function createClues(known: Known, detectors: readonly Detector[]) {
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
