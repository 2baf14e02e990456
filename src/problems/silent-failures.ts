import { atOnce, type Pieces } from '../turns/in-turns.ts';
import { flatMapInPieces, groupInPieces } from '../turns/lists.ts';
import type { Detector, SilentFailure } from './detectors/index.ts';
import { readRequests, recentOf } from './detectors/recent.ts';
import type { Known } from './known.ts';

/** Failures that one detector has found with one client. */
export interface SilentGroup {
  /** Of the detector. */
  readonly name: string;
  /** Oldest first. */
  readonly failures: readonly SilentFailure[];
  readonly first: SilentFailure;
  readonly newest: SilentFailure;
}

/** What the detectors find, in groups. */
export function createSilentFailures(known: Known, detectors: readonly Detector[]) {
  let found: Found | undefined;
  /** What somebody has begun: whoever asks meanwhile goes on with it. */
  let begun: Pieces<void> | undefined;

  function* look(): Pieces<void> {
    const { events } = known;
    const before = { state: stateOf(events), at: events.wall() };
    const recent = yield* recentOf(yield* readRequests(events), events);
    const groups: SilentGroup[] = [];
    for (const each of detectors) groups.push(...(yield* byClient(each.name, yield* each.look(recent, known))));
    found = { ...before, groups };
  }

  function* catchUp(): Pieces<void> {
    if (found !== undefined && holds(found, known)) return;
    begun ??= look();
    const work = begun;
    while (begun === work && work.next().done !== true) yield;
    if (begun === work) begun = undefined;
  }

  return {
    /** Looks at what is new; each request is a piece. Who cannot wait may look meanwhile. */
    catchUp,
    all(): readonly SilentGroup[] {
      if (begun !== undefined) atOnce(catchUp());
      atOnce(catchUp());
      return found?.groups ?? [];
    },
  };
}

interface Found {
  readonly state: string;
  /** Unix seconds of the real time, by which silences are counted. */
  readonly at: number;
  readonly groups: readonly SilentGroup[];
}

function stateOf(events: Known['events']): string {
  return `${events.lastId} ${events.kept('request.completed')}`;
}

/** Every page asks, some of them thrice, and to read a long history takes a while. */
function holds({ state, at }: Found, { events }: Known): boolean {
  const age = events.wall() - at;
  return age >= 0 && (age < patienceWith(events) || (age < 1 && state === stateOf(events)));
}

/** Seconds that what was found stays good although more happens. */
function patienceWith(events: Known['events']): number {
  return Math.floor(events.kept('request.completed') / 2000);
}

function* byClient(name: string, found: readonly SilentFailure[]): Pieces<readonly SilentGroup[]> {
  const groups = yield* groupInPieces(found, ({ client_id = '' }) => client_id);
  return yield* flatMapInPieces(groups.values(), failures => {
    const [first] = failures;
    const newest = failures.at(-1);
    return first === undefined || newest === undefined ? [] : [{ name, failures, first, newest }];
  });
}
