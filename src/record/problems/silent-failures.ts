import { atOnce, type Pieces } from '../../base/turns/in-turns.ts';
import { flatMapInPieces, groupInPieces } from '../../base/turns/lists.ts';
import type { Detector, SilentFailure } from './detectors/index.ts';
import { readRequests, recentOf } from './detectors/recent.ts';
import type { Known } from './known.ts';

/** Failures that one detector has found with one client. */
export interface SilentGroup {
  /** The name of the detector. */
  readonly name: string;
  /** Oldest first. */
  readonly failures: readonly SilentFailure[];
  readonly first: SilentFailure;
  readonly newest: SilentFailure;
}

/** Runs the detectors and groups their failures by client. */
export function createSilentFailures(known: Known, detectors: readonly Detector[]) {
  let found: Found | undefined;
  /** A search in progress, which a second caller continues. */
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
    /** Searches in pieces, one for each request. `all` may be called meanwhile. */
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
  /** Unix seconds of the real time, which measures silence. */
  readonly at: number;
  readonly groups: readonly SilentGroup[];
}

function stateOf(events: Known['events']): string {
  return `${events.lastId} ${events.kept('request.completed')}`;
}

/** Keeps a result for a while, because every page asks and a long history takes time to read. */
function holds({ state, at }: Found, { events }: Known): boolean {
  const age = events.wall() - at;
  return age >= 0 && (age < patienceWith(events) || (age < 1 && state === stateOf(events)));
}

/** Returns the seconds to keep a result although new events happen. */
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
