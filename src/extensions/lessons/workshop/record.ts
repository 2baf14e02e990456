import type { OpenLesson } from '../run/lesson-runs.ts';
import { partsOf, type SeatRuns } from './board.ts';

/** The work that was done in a seat. The record names the seat and no person. */
export interface SeatRecord {
  readonly seat: string;
  /** ISO 8601. */
  readonly exportedAt: string;
  readonly lessons: readonly {
    readonly lesson: string;
    readonly title: string;
    readonly done: number;
    readonly total: number;
    readonly tasks: readonly {
      readonly task: string;
      readonly title: string;
      readonly state: 'done' | 'close' | 'not yet';
      /** ISO 8601. */
      readonly doneAt?: string;
      /** Requests, or answers to a question, while the task was the one in work. */
      readonly requests: number;
      readonly refusals: number;
    }[];
  }[];
}

/** @param now Unix seconds of real time */
export function recordOf({ seat: { name }, runs }: SeatRuns, lessons: readonly OpenLesson[], now: number): SeatRecord {
  const saved = runs.save(name).lessons;
  return {
    seat: name,
    exportedAt: isoTime(now),
    lessons: lessons.map(lesson => {
      const results = runs.results(lesson.id, name);
      const tasks = partsOf(lesson).map(({ id, title }) => {
        const { state } = results.get(id) ?? { state: 'not yet' as const };
        const doneAt = saved[lesson.id]?.done[id];
        const { requests = 0, refusals = 0 } = saved[lesson.id]?.attempts?.[id] ?? {};
        return {
          task: id,
          title,
          state,
          requests,
          refusals,
          doneAt: doneAt === undefined ? undefined : isoTime(doneAt),
        };
      });
      const done = tasks.filter(({ state }) => state === 'done').length;
      return { lesson: lesson.id, title: lesson.text.title, done, total: tasks.length, tasks };
    }),
  };
}

/** RFC 4180, a line for each task. */
export function asCsv(records: readonly SeatRecord[]): string {
  const rows = records.flatMap(({ seat, lessons }) =>
    lessons.flatMap(({ lesson, tasks }) =>
      tasks.map(({ task, title, state, doneAt = '', requests, refusals }) => [
        ...[seat, lesson, task, title, state, doneAt],
        ...[String(requests), String(refusals)],
      ]),
    ),
  );
  const lines = [['seat', 'lesson', 'task', 'title', 'state', 'done_at', 'requests', 'refusals'], ...rows];
  return lines.map(cells => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
