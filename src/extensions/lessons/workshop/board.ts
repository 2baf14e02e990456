import type { LessonRuns, OpenLesson } from '../run/lesson-runs.ts';
import type { Seat } from './seat.ts';

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
