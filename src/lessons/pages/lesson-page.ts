import { defined } from '../../defined.ts';
import type { TaskResult } from '../checks/check.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import type { LessonRuns, OpenLesson } from '../run/lesson-runs.ts';
import type { QuizText, TaskText } from '../text/lesson-text.ts';
import { toHtml } from '../text/to-html.ts';

/** The lessons with the progress of a learner. */
export async function lessonListPage(runs: LessonRuns, learner: string | undefined) {
  const lessons = await runs.all();
  return {
    lessons: lessons.map(({ id, code, text }) => {
      const run = runs.run(id, learner);
      const total = code.tasks.length + text.quizzes.length;
      const { title, minutes, needs, references } = text;
      return { id, title, minutes, needs, references, total, isRunning: run !== undefined, done: doneIn(run) };
    }),
  };
}

/** One lesson: the story, and its tasks with what came of them. */
export function lessonPage(runs: LessonRuns, lesson: OpenLesson, learner: string | undefined) {
  const { id, text } = lesson;
  const run = runs.run(id, learner);
  const opened = runs.opened(learner);
  const values: Readonly<Record<string, string>> = { issuer: run?.issuer ?? 'YOUR_ISSUER' };
  const results = run?.results();
  const { title, minutes, needs, references, reviewed } = text;
  const view = { lesson: id, run, opened, values };
  return {
    id,
    ...{ title, minutes, needs, references, reviewed },
    story: toHtml(text.story, values),
    isRunning: run !== undefined,
    ...defined({ issuer: run?.issuer }),
    done: doneIn(run),
    total: text.tasks.length + text.quizzes.length,
    tasks: text.tasks.map((task, index) => taskView(view, { task, number: index + 1, result: results?.get(task.id) })),
    quizzes: text.quizzes.map(quiz => quizView(quiz, run, results?.get(quiz.question.id))),
    refusals: (run?.refusals() ?? []).map(({ id: event, title, requestId, status, error }) => ({
      ...{ event, title, status, error },
      href: `${run?.issuer}/dashboard/problems/${requestId}`,
    })),
  };
}

function doneIn(run: LessonRun | undefined): number {
  return [...(run?.results().values() ?? [])].filter(({ state }) => state === 'done').length;
}

interface TaskSource {
  readonly lesson: string;
  readonly run: LessonRun | undefined;
  readonly opened: ReadonlySet<string>;
  readonly values: Readonly<Record<string, string>>;
}

interface TaskFacts {
  readonly task: TaskText;
  readonly number: number;
  readonly result: TaskResult | undefined;
}

function taskView({ lesson, run, opened, values }: TaskSource, { task, number, result }: TaskFacts) {
  const isOpen = (part: number | string) => opened.has(`${lesson}/${task.id}/${part}`);
  const next = task.hints.findIndex((_, index) => !isOpen(index));
  return {
    id: task.id,
    number,
    title: task.title,
    text: toHtml(task.text, values),
    hints: task.hints.filter((_, index) => isOpen(index)).map(hint => toHtml(hint, values)),
    ...(next === -1 ? {} : { nextHint: next }),
    ...(isOpen('solution') ? { solution: toHtml(task.solution, values) } : {}),
    ...resultView(run, result),
  };
}

function resultView(run: LessonRun | undefined, result: TaskResult = { state: 'not yet' }) {
  const { state } = result;
  if (state === 'not yet') return { state, ...defined({ reached: result.reached, steps: result.steps }) };
  const href = result.requestId === undefined ? undefined : `${run?.issuer}/dashboard/requests/${result.requestId}`;
  return { state, ...defined({ href }), ...(state === 'close' ? { difference: result.difference } : {}) };
}

function quizView(
  { question, title, options, explanation }: QuizText,
  run: LessonRun | undefined,
  result?: TaskResult,
) {
  const isDone = result?.state === 'done';
  return {
    id: question.id,
    title,
    state: isDone ? 'done' : 'not yet',
    chosen: run?.answers()[question.id] ?? '',
    options: options.map(({ id, text }) => ({ id, text: toHtml(text, {}).replace(/^<p>|<\/p>\s*$/g, '') })),
    ...(isDone ? { explanation: toHtml(explanation, {}) } : {}),
  };
}
