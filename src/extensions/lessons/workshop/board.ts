import type { TaskResult } from '../checks/check.ts';
import type { Attempts } from '../run/attempts.ts';
import type { SavedRun } from '../run/lesson-run.ts';
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

/** How far a seat is with a task, or with a lesson. */
export type CellState = 'done' | 'close' | 'begun' | 'not yet';

/** The states of a card on the board. Learners who need the trainer come first. */
const cardOrder = ['stuck', 'working', 'not begun', 'done'] as const;

/** A seat in one lesson. */
export interface SeatCard {
  readonly name: string;
  readonly state: (typeof cardOrder)[number];
  readonly cells: readonly { readonly state: CellState; readonly title: string }[];
  /** The number of the first open task; absent if all are done. */
  readonly task?: number;
  readonly isQuestion?: boolean;
  /** Refusals, or wrong answers, while that task was the one in work. */
  readonly refusals: number;
  /** Whole minutes of real time since the last request; absent before the start. */
  readonly minutes?: number;
  /** The newest refusal at that task. */
  readonly refused?: Attempts['refused'];
}

/** Minutes without a request after which a seat is stuck, and refusals at one task. */
const stuckAfter = { minutes: 5, refusals: 3 };

/** The board of one lesson: how many seats have done each task, and the seats in the order raised hands, stuck, others. `now`: Unix seconds. */
export function boardOfTasks(
  seats: readonly SeatRuns[],
  lesson: OpenLesson,
  now: number,
  hands: readonly string[] = [],
) {
  const parts = partsOf(lesson);
  const all = seats.map(each => cardOf(each, lesson, now)).toSorted(byNeed);
  const up = hands.flatMap(name => all.find(each => each.name === name) ?? []);
  const cards = [...up, ...all.filter(each => !up.includes(each))];
  return {
    tasks: parts.map(({ id, title }, index) => {
      const done = cards.filter(({ cells }) => cells[index]?.state === 'done').length;
      return { id, title, done, isEnough: done > 0 && done * 3 >= cards.length * 2 };
    }),
    seats: cards,
    stuck: mostStuck(cards),
  };
}

/** Seats by lessons: how far each seat is, and how many of the tasks it has done. */
export function boardOfLessons(seats: readonly SeatRuns[], lessons: readonly OpenLesson[], now: number) {
  const current = seats.flatMap(each => {
    const lesson = lessonInWork(each, lessons);
    return lesson === undefined ? [] : [cardOf(each, lesson, now)];
  });
  return {
    columns: lessons.map(({ id, text }) => ({ id, title: text.title })),
    rows: seats.map(each => ({ name: each.seat.name, cells: lessons.map(lesson => lessonCell(each, lesson)) })),
    stuck: mostStuck(current),
  };
}

function lessonCell({ runs, seat: { name } }: SeatRuns, lesson: OpenLesson) {
  const done = [...runs.results(lesson.id, name).values()].filter(({ state }) => state === 'done').length;
  const total = partsOf(lesson).length;
  const count = `${done}/${total}`;
  if (done === total) return { state: 'done', count } as const;
  return runs.savedRun(lesson.id, name) === undefined
    ? ({ state: 'not yet' } as const)
    : ({ state: 'begun', count } as const);
}

/** Lessons that a seat has started. */
export function startedLessons(seats: readonly SeatRuns[], lessons: readonly OpenLesson[]): readonly OpenLesson[] {
  return lessons.filter(({ id }) => seats.some(({ seat, runs }) => runs.savedRun(id, seat.name) !== undefined));
}

/** The lesson that most seats work at, which is the one to look at; undefined before the first start. */
export function liveliest(seats: readonly SeatRuns[], lessons: readonly OpenLesson[]): OpenLesson | undefined {
  const inWork = seats.map(each => lessonInWork(each, lessons));
  const counts = lessons.map(lesson => ({ lesson, count: inWork.filter(each => each === lesson).length }));
  const [most] = counts.toSorted((a, b) => b.count - a.count);
  return most === undefined || most.count === 0 ? undefined : most.lesson;
}

/** The lesson of the last request of a seat. */
function lessonInWork({ seat, runs }: SeatRuns, lessons: readonly OpenLesson[]): OpenLesson | undefined {
  const times = lessons.flatMap(lesson => {
    const saved = runs.savedRun(lesson.id, seat.name);
    return saved === undefined ? [] : [{ lesson, at: lastTime(saved) }];
  });
  return times.toSorted((a, b) => b.at - a.at)[0]?.lesson;
}

function lastTime({ attempts = {}, done, begunAt = 0 }: SavedRun): number {
  return Math.max(begunAt, ...Object.values(done), ...Object.values(attempts).map(({ lastAt }) => lastAt));
}

/** Tasks and quizzes, in the order of the page. */
export function partsOf({ text }: OpenLesson): readonly { readonly id: string; readonly title: string }[] {
  const tasks = text.tasks.map(({ id, title }) => ({ id, title }));
  return [...tasks, ...text.quizzes.map(({ question, title }) => ({ id: question.id, title }))];
}

function cardOf({ seat: { name }, runs }: SeatRuns, lesson: OpenLesson, now: number): SeatCard {
  const parts = partsOf(lesson);
  const results = runs.results(lesson.id, name);
  const saved = runs.savedRun(lesson.id, name);
  const isOpen = ({ id }: { readonly id: string }) => results.get(id)?.state !== 'done';
  const inWork = runs.run(lesson.id, name)?.inWork();
  const open = parts.find(each => each.id === inWork && isOpen(each)) ?? parts.find(isOpen);
  const cells = parts.map(({ id, title }) => ({
    state: stateOf(results.get(id), saved !== undefined && id === open?.id),
    title,
  }));
  if (open === undefined) return { name, cells, state: 'done', refusals: 0 };
  if (saved === undefined) return { name, cells, state: 'not begun', refusals: 0, task: 1 };
  const { refusals = 0, refused } = saved.attempts?.[open.id] ?? {};
  const minutes = Math.max(0, Math.floor((now - lastTime(saved)) / 60));
  const isStuck = refusals >= stuckAfter.refusals || minutes >= stuckAfter.minutes;
  const state = isStuck ? 'stuck' : 'working';
  const task = parts.indexOf(open) + 1;
  return { name, cells, state, refusals, minutes, refused, task, isQuestion: task > lesson.text.tasks.length };
}

function stateOf(result: TaskResult | undefined, isInWork: boolean): CellState {
  if (result?.state === 'done' || result?.state === 'close') return result.state;
  return isInWork ? 'begun' : 'not yet';
}

/** Those who are stuck first, by their refusals, then by the time without a request. */
function byNeed(a: SeatCard, b: SeatCard): number {
  const rank = ({ state }: SeatCard) => cardOrder.indexOf(state);
  return rank(a) - rank(b) || b.refusals - a.refusals || (b.minutes ?? 0) - (a.minutes ?? 0);
}

/** The reason for which most seats were last refused at their open task; undefined if nobody was. */
function mostStuck(cards: readonly SeatCard[]) {
  const found = cards.flatMap(({ refused }) => refused ?? []);
  const seats = (reason: string) => found.filter(each => each.reason === reason).length;
  const [most] = found.toSorted((a, b) => seats(b.reason) - seats(a.reason));
  return most && { title: most.title, seats: seats(most.reason) };
}
