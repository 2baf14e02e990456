import type { LearnerRefusal } from '../run/lesson-run.ts';
import type { LessonRuns, OpenLesson } from '../run/lesson-runs.ts';
import type { Seat } from './seats.ts';

/** The runs of each seat; read once for a page. */
export interface SeatRuns {
  readonly seat: Seat;
  readonly runs: LessonRuns;
}

export async function runsOf(seats: readonly Seat[]): Promise<readonly SeatRuns[]> {
  return Promise.all(seats.map(async seat => ({ seat, runs: (await seat.place.lessons()).runs })));
}

/** Seats by lessons: how far each seat is, and how many of the tasks it has done. */
export function boardOfLessons(seats: readonly SeatRuns[], lessons: readonly OpenLesson[]) {
  return {
    columns: lessons.map(({ id, text }) => ({ id, title: text.title })),
    rows: seats.map(({ seat, runs }) => ({
      name: seat.name,
      cells: lessons.map(lesson => {
        const done = doneOf(runs, lesson, seat);
        const total = partsOf(lesson).length;
        if (done === total) return { state: 'done', count: `${done}/${total}` };
        if (done === 0 && runs.run(lesson.id, seat.name) === undefined) return { state: 'not yet' };
        return { state: 'begun', count: `${done}/${total}` };
      }),
    })),
  };
}

export function boardOfTasks(seats: readonly SeatRuns[], lesson: OpenLesson) {
  const columns = partsOf(lesson);
  return {
    columns,
    rows: seats.map(({ seat, runs }) => {
      const results = runs.results(lesson.id, seat.name);
      return { name: seat.name, cells: columns.map(({ id }) => ({ state: results.get(id)?.state ?? 'not yet' })) };
    }),
  };
}

/** The lesson that most seats are in, which is the one to look at; undefined before the first start. */
export function liveliest(seats: readonly SeatRuns[], lessons: readonly OpenLesson[]): OpenLesson | undefined {
  const counts = lessons.map(lesson => ({
    lesson,
    count: seats.filter(({ seat, runs }) => runs.run(lesson.id, seat.name) !== undefined).length,
  }));
  const [most] = counts.toSorted((a, b) => b.count - a.count);
  return most === undefined || most.count === 0 ? undefined : most.lesson;
}

/** Tasks and quizzes, in the order of the page. */
export function partsOf({ text }: OpenLesson): readonly { readonly id: string; readonly title: string }[] {
  const tasks = text.tasks.map(({ id, title }) => ({ id, title }));
  return [...tasks, ...text.quizzes.map(({ question, title }) => ({ id: question.id, title }))];
}

function doneOf(runs: LessonRuns, { id }: OpenLesson, { name }: Seat): number {
  return [...runs.results(id, name).values()].filter(({ state }) => state === 'done').length;
}

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
