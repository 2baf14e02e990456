import type { Detector, SilentFailure } from './detectors/index.ts';
import { recentOf } from './detectors/recent.ts';
import type { Known } from './known.ts';

/** Failures that one detector has found with one client. */
export interface SilentGroup {
  /** Of the detector. */
  readonly name: string;
  /** Oldest first. */
  readonly failures: SilentFailure[];
  readonly first: SilentFailure;
  newest: SilentFailure;
}

/** What the detectors find, in groups. */
export function createSilentFailures(known: Known, detectors: readonly Detector[]) {
  let found: Found | undefined;
  return {
    all(): readonly SilentGroup[] {
      if (found !== undefined && holds(found, known)) return found.groups;
      const recent = recentOf(known);
      const groups = detectors.flatMap(({ name, look }) => byClient(name, look(recent, known)));
      found = { state: stateOf(known.events), at: wallSeconds(known.events), groups };
      return groups;
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
  const age = wallSeconds(events) - at;
  return age === 0 ? state === stateOf(events) || patienceWith(events) > 0 : age > 0 && age < patienceWith(events);
}

function wallSeconds(events: Known['events']): number {
  return Math.floor(events.wall());
}

/** Seconds that what was found stays good although more happens. */
function patienceWith(events: Known['events']): number {
  return Math.floor(events.kept('request.completed') / 2000);
}

function byClient(name: string, found: readonly SilentFailure[]): readonly SilentGroup[] {
  const groups = new Map<string, SilentGroup>();
  for (const failure of found) {
    const key = failure.client_id ?? '';
    const group = groups.get(key) ?? { name, failures: [], first: failure, newest: failure };
    group.failures.push(failure);
    group.newest = failure;
    groups.set(key, group);
  }
  return [...groups.values()];
}
