import type { LearnerRefusal } from '../run/lesson-run.ts';
import type { OpenLesson } from '../run/lesson-runs.ts';
import type { SeatRuns } from './board.ts';

/** Seconds of real time. */
const lately = 300;

/**
 * The reason for which most seats were refused lately, with the explanation of its newest refusal. Undefined where nobody was
 * refused in the last five minutes, but for refusals that were the task.
 */
export function mostStuck(seats: readonly SeatRuns[], lessons: readonly OpenLesson[]) {
  const byReason = new Map<string, { readonly seats: Set<string>; newest: Found }>();
  for (const found of seats.flatMap(each => refusalsOf(each, lessons))) {
    const known = byReason.get(found.refusal.reason) ?? { seats: new Set(), newest: found };
    known.seats.add(found.seat);
    if (found.refusal.age < known.newest.refusal.age) known.newest = found;
    byReason.set(found.refusal.reason, known);
  }
  const [most] = [...byReason].toSorted(([, a], [, b]) => b.seats.size - a.seats.size);
  if (most === undefined) return undefined;
  const [reason, { seats: stuck, newest }] = most;
  const href = `${newest.issuer}/dashboard/problems/${newest.refusal.requestId}`;
  return { reason, title: newest.refusal.title, seats: stuck.size, href };
}

interface Found {
  readonly seat: string;
  readonly issuer: string;
  readonly refusal: LearnerRefusal;
}

function refusalsOf({ seat: { name: seat }, runs }: SeatRuns, lessons: readonly OpenLesson[]): readonly Found[] {
  return lessons.flatMap(({ id }) => {
    const run = runs.run(id, seat);
    if (run === undefined) return [];
    const wanted = new Set(
      [...run.results().values()].flatMap(each => (each.state === 'done' ? [each.requestId] : [])),
    );
    const late = run.refusals().filter(({ age, requestId }) => age <= lately && !wanted.has(requestId));
    return late.map(refusal => ({ seat, issuer: run.issuer, refusal }));
  });
}
