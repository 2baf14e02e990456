import type { LessonRuns, OpenLesson } from '../run/lesson-runs.ts';
import { triesIn } from '../run/mystery.ts';
import { toLine } from '../text/to-html.ts';
import { numbersOf, orderOf, type PathLevel, pathOf } from './path.ts';

/** The lessons with the progress of a learner, by level, and the one to go on with. */
export async function lessonListPage(runs: LessonRuns, learner: string | undefined) {
  const { path, viewOf } = await progressIn(runs, learner);
  const levels = path.map(level => levelView(level, viewOf));
  return { levels, ...countOf(levels), next: nextView(orderOf(path).map(viewOf)) };
}

/** The path, and how far a learner is in each lesson. */
async function progressIn(runs: LessonRuns, learner: string | undefined) {
  const lessons = await runs.all();
  const path = pathOf(lessons);
  const views = new Map(lessons.map(each => [each.id, rowView(runs, each, learner)]));
  const numbers = numbersOf(path);
  const ofLessons = new Map(lessons.flatMap(({ id, text }) => (text.labId === undefined ? [] : [[text.labId, id]])));
  const viewOf = ({ id, text }: OpenLesson) => ({
    ...(views.get(id) as RowView), // each lesson of the path is in the list
    number: numbers.get(id),
    /** A lab stands beside its lesson. */
    needs: text.after.flatMap(each => (ofLessons.get(id) === each ? [] : (numbers.get(each) ?? []))),
  });
  return { path, viewOf };
}

/** The end of a lesson that is done: its sentence, and where to go on. Undefined while something in it is open. */
export async function endView(runs: LessonRuns, lesson: OpenLesson, learner: string | undefined) {
  if (rowView(runs, lesson, learner).state !== 'done') return undefined;
  const { path, viewOf } = await progressIn(runs, learner);
  const order = orderOf(path).map(viewOf);
  const own = path.flatMap(({ rows }) => rows).find(row => row.lesson.id === lesson.id)?.lab;
  const after = lesson.code.lab === undefined ? order.slice(order.findIndex(({ id }) => id === lesson.id) + 1) : [];
  const { aim, remember } = lesson.text;
  return {
    aim: aim && toLine(aim),
    remember: remember && toLine(remember),
    tries: triesIn(runs.savedRun(lesson.id, learner)?.answers ?? {}),
    lab: own && viewOf(own),
    next: [...after, ...order].find(({ state }) => state !== 'done'),
  };
}

type RowView = ReturnType<typeof rowView>;

function rowView(runs: LessonRuns, { id, code, text }: OpenLesson, learner: string | undefined) {
  const results = runs.results(id, learner);
  const parts = [...text.tasks.map(task => task.id), ...text.quizzes.map(({ question }) => question.id)];
  const isDone = (part: string) => results.get(part)?.state === 'done';
  const done = parts.filter(isDone).length;
  const isBegun = done > 0 || runs.run(id, learner) !== undefined;
  const open = text.tasks.findIndex(task => !isDone(task.id));
  return {
    ...{ id, title: text.title, minutes: text.minutes, isLab: code.lab !== undefined, done, total: parts.length },
    aim: text.aim && toLine(text.aim),
    state: done === parts.length ? 'done' : isBegun ? 'begun' : 'open',
    /** The first open task, counted from 1; 0 if there are only questions left. */
    task: open + 1,
    anchor: open === -1 ? '' : `#task-${text.tasks[open]?.id}`,
  } as const;
}

function levelView<View extends RowView>(
  { title, about, rows, more }: PathLevel,
  viewOf: (lesson: OpenLesson) => View,
) {
  const pairs = rows.map(({ lesson, lab }) => ({ lesson: viewOf(lesson), lab: lab && viewOf(lab) }));
  const labs = more.map(viewOf);
  const all = [...pairs.flatMap(({ lesson, lab }) => (lab ? [lesson, lab] : [lesson])), ...labs];
  return { title, about, pairs, labs, done: all.filter(({ state }) => state === 'done').length, total: all.length };
}

function countOf(levels: readonly { readonly done: number; readonly total: number }[]) {
  return {
    done: levels.reduce((sum, { done }) => sum + done, 0),
    total: levels.reduce((sum, { total }) => sum + total, 0),
  };
}

/** A lesson that was begun, or the first that was not; undefined when all are done. */
function nextView<View extends RowView>(order: readonly View[]) {
  const next = order.find(({ state }) => state === 'begun') ?? order.find(({ state }) => state === 'open');
  if (next === undefined) return undefined;
  const { state, task, isLab, minutes, done, total } = next;
  const isFirst = order.every(each => each.state === 'open');
  return {
    ...next,
    label: state === 'begun' ? 'Continue' : isFirst ? 'Start here' : 'Next',
    button: state === 'open' ? 'Begin' : isLab || task === 0 ? 'Continue' : `Continue at task ${task}`,
    /** In steps of five minutes. */
    left: Math.max(5, Math.round((minutes * (total - done)) / total / 5) * 5),
  };
}
