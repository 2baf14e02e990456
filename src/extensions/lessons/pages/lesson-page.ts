import { badgeOf } from '../../../dashboard/status-badge.ts';
import type { TaskResult } from '../checks/check.ts';
import { rowsOf } from '../probe.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import type { LessonRuns, OpenLesson } from '../run/lesson-runs.ts';
import { triesIn } from '../run/mystery.ts';
import type { Field } from '../text/fields.ts';
import { type QuizText, roundOf, type TaskText } from '../text/lesson-text.ts';
import { toHtml, toLine, verifiersIn, withBlanks } from '../text/to-html.ts';
import { labView } from './lab-view.ts';
import { pictureView } from './picture-view.ts';
import { fieldsIn, shownTexts, textView } from './text-view.ts';

/** One lesson with its story and its tasks with their states. */
export function lessonPage(runs: LessonRuns, lesson: OpenLesson, learner: string | undefined) {
  const { id, text } = lesson;
  const run = runs.run(id, learner);
  const opened = runs.opened(learner);
  const values: Readonly<Record<string, string>> = { issuer: run?.issuer ?? 'YOUR_ISSUER' };
  const results = runs.results(id, learner);
  const { title, minutes, needs, references, reviewed } = text;
  const view = { lesson: id, run, opened, controlKey: runs.controlKey, values, fields: fieldsIn(text) };
  return {
    id,
    ...{ title, minutes, needs, references, reviewed },
    story: toHtml(text.story, values),
    ...lanesView(lesson, run),
    isRunning: run !== undefined,
    mayOpenHints: runs.mayOpenHints(),
    issuer: run?.issuer,
    done: doneIn(results),
    total: text.tasks.length + text.quizzes.length,
    tasks: text.tasks.map((task, index) => taskView(view, { task, number: index + 1, result: results.get(task.id) })),
    quizzes: text.quizzes
      .filter(({ question }) => roundOf(question.id) === undefined)
      .map(quiz => quizView(quiz, run, results)),
    ...againView(text, run, results),
    ...labView(lesson, { run, results, values, quiz: quiz => quizView(quiz, run, results) }),
    ...probeView(lesson, run),
    ...reportView(run),
    ...breakpointView(lesson, run),
    refusals: (run?.refusals() ?? []).map(({ id: event, title, requestId, status, error }) => ({
      ...{ event, title, error, badge: badgeOf({ status }, undefined) },
      href: `${run?.issuer}/dashboard/problems/${requestId}`,
    })),
  };
}

/** The picture has the names of the issuer in which the lesson runs. */
function lanesView({ code: { issuer, lab }, text }: OpenLesson, run: LessonRun | undefined) {
  if (text.picture.length === 0) return {};
  const [collection] = Object.keys(issuer.collections ?? {});
  const names = {
    mallory: 'Mallory',
    browser: 'Browser',
    client: issuer.clients?.[0]?.client_name ?? 'Client',
    server: 'Server',
    app: 'Demo app',
    api: collection === undefined || lab?.weak.api !== undefined ? 'API' : `API: ${collection}`,
  };
  return { picture: pictureView(text.picture, names, run) };
}

/** The table of a lesson that calls the learner's API. */
function probeView({ code: { probe } }: OpenLesson, run: LessonRun | undefined) {
  if (probe === undefined) return {};
  return { probe: { url: run?.apiUrl ?? '', rows: (run?.probe?.rows() ?? rowsOf()).map(withBadge) } };
}

/** The checks of the client report, with the place to mend in the file. */
function reportView(run: LessonRun | undefined) {
  const { issuer = '', examiner } = run ?? {};
  if (examiner === undefined) return {};
  const { client } = examiner;
  return { report: { client, rows: examiner.rows(), href: `${issuer}/dashboard/report?client=${client}` } };
}

/** Also in lessons that do not offer breakpoints, because a trainer may hold responses. */
function breakpointView({ code }: OpenLesson, run: LessonRun | undefined) {
  const breakpoints = run?.breakpoints.current();
  const held = breakpoints?.held() ?? [];
  const canSet = code.holdsRedirect === true;
  if (run === undefined || (held.length === 0 && !canSet)) return {};
  const isSet = breakpoints?.list().some(({ endpoint }) => endpoint === 'redirect') === true;
  return { breakpoint: { canSet, isSet, held: held.map(withBadge) } };
}

function withBadge<Answer extends { readonly status?: number | undefined }>(answer: Answer) {
  const { status } = answer;
  return { ...answer, badge: status === undefined ? undefined : badgeOf({ status }, undefined) };
}

/** A lesson to print: tasks with blanks, without hints, solutions, secrets of clients and verifiers. */
export function handoutPage({ id, code, text }: OpenLesson) {
  const { title, minutes, needs, references, reviewed } = text;
  const ofClients = (code.issuer.clients ?? []).flatMap(({ client_secret: secret }) => secret ?? []);
  const secrets = [...ofClients, ...text.tasks.flatMap(task => verifiersIn(task.text))];
  const plain = (words: string) => withBlanks(words, secrets);
  const onPaper = (markdown: string) => toHtml(plain(markdown), {});
  return {
    ...{ id, title, minutes, needs, references, reviewed },
    story: onPaper(text.story),
    steps: [...(text.lab?.steps.values() ?? [])].map(step => plain(step.title)),
    tasks: text.tasks.map(task => ({ title: plain(task.title), text: onPaper(task.text) })),
    quizzes: text.quizzes.map(quiz => ({
      isPrediction: roundOf(quiz.question.id) !== undefined,
      title: plain(quiz.title),
      options: quiz.options.map(option => toLine(plain(option.text))),
    })),
  };
}

function doneIn(results: ReadonlyMap<string, TaskResult>): number {
  return [...results.values()].filter(({ state }) => state === 'done').length;
}

interface TaskSource {
  readonly lesson: string;
  readonly run: LessonRun | undefined;
  readonly opened: ReadonlySet<string>;
  readonly controlKey: string | undefined;
  readonly values: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
}

interface TaskFacts {
  readonly task: TaskText;
  readonly number: number;
  readonly result: TaskResult | undefined;
}

function taskView(view: TaskSource, { task, number, result }: TaskFacts) {
  const { lesson, run, opened } = view;
  const next = task.hints.findIndex((_, index) => !opened.has(`${lesson}/${task.id}/${index}`));
  const [own, ...extras] = shownTexts(lesson, task, view).map(({ key, text }) => textView(text, key, view));
  const isSolved = opened.has(`${lesson}/${task.id}/solution`);
  return {
    id: task.id,
    number,
    title: task.title,
    parts: own,
    hints: isSolved ? extras.slice(0, -1) : extras,
    ...(next === -1 ? {} : { nextHint: next }),
    ...(isSolved ? { solution: extras.at(-1) } : {}),
    isBegun: isBegun(result),
    ...resultView(run, result),
  };
}

/** There is something to forget: the task is done, or somebody has sent a request for it. */
function isBegun(result: TaskResult = { state: 'not yet' }): boolean {
  return result.state !== 'not yet' || result.says !== undefined || result.reached !== undefined;
}

function resultView(run: LessonRun | undefined, result: TaskResult = { state: 'not yet' }) {
  const { state, requestId } = result;
  const href = requestId && run && `${run.issuer}/dashboard/requests/${requestId}`;
  if (state === 'done') return { state, href };
  const says = result.says === undefined ? undefined : toLine(result.says);
  if (state === 'close') return { state, href, says };
  const { reached = 0, steps, next } = result;
  return { state, href, says, reached, steps, next };
}

/** The attack shows whether a prediction was right. */
export function quizView(
  { question, title, options, explanation }: QuizText,
  run: LessonRun | undefined,
  results: ReadonlyMap<string, TaskResult>,
) {
  const { id, right } = question;
  if (isOfMystery(question)) return mysteryView({ question, title, options, explanation }, run, results);
  const predicted = roundOf(id);
  const isPrediction = predicted !== undefined;
  const isDone = results.get(id)?.state === 'done';
  const isRevealed = isDone && (!isPrediction || results.get(predicted)?.state === 'done');
  const chosen = run?.answers()[id] ?? '';
  return {
    ...{ id, title, isPrediction, isRevealed, chosen },
    state: isDone ? 'done' : 'not yet',
    isRight: isPrediction ? chosen === right : isDone,
    options: options.map(({ id, text }) => ({ id, text: toLine(text) })),
    ...whyView(options, chosen, right),
    ...(isRevealed ? { explanation: toHtml(explanation, {}), right } : {}),
  };
}

/** A question of a lesson has a right answer; that of a mystery depends on the run. */
function isOfMystery({ id, right }: QuizText['question']): boolean {
  return right === undefined && roundOf(id) === undefined;
}

/** The question for the missing check. Before an attack has succeeded, each answer is a guess, and is told what one would see. */
function mysteryView(
  { question: { id }, title, options, explanation }: QuizText,
  run: LessonRun | undefined,
  results: ReadonlyMap<string, TaskResult>,
) {
  const result = results.get(id);
  const isDone = result?.state === 'done';
  const answers = run?.answers() ?? {};
  const { [id]: chosen = '' } = answers;
  const isGuess = !isDone && !(result !== undefined && 'wrong' in result);
  const { seen = '', why = '', lab = '' } = options.find(option => option.id === chosen) ?? {};
  return {
    ...{ id, title, chosen, isGuess, isPrediction: false, isRight: isDone, isRevealed: isDone, isLocked: isDone },
    state: isDone ? 'done' : 'not yet',
    options: options.map(({ id, text }) => ({ id, text: toLine(text) })),
    tries: triesIn(answers),
    ...(chosen === '' || isDone ? {} : { why: toLine(isGuess ? seen : `${seen} ${why}`) }),
    ...(isDone
      ? {
          explanation: toHtml(
            `${seen} ${explanation} The lab *${lab}* has the defence, and the line for your own client.`,
            {},
          ),
        }
      : {}),
  };
}

/** Why the chosen option is wrong. */
function whyView(options: QuizText['options'], chosen: string, right: string | undefined) {
  const { why = '' } = options.find(({ id }) => id === chosen && id !== right) ?? {};
  return why === '' ? {} : { why: toLine(why) };
}

/** The questions that were missed at first. They are asked again when all else is done. */
function againView(
  { tasks, quizzes }: OpenLesson['text'],
  run: LessonRun | undefined,
  results: ReadonlyMap<string, TaskResult>,
) {
  const answers = run?.answers() ?? {};
  const missed = quizzes.filter(({ question }) => answers[`${question.id}:missed`] !== undefined);
  if (doneIn(results) < tasks.length + quizzes.length) return { missed: missed.length, again: [] };
  const again = missed.map(({ question, title, options, explanation }) => {
    const id = `${question.id}:again`;
    const chosen = answers[id] ?? '';
    const isRight = chosen === question.right;
    return {
      ...{ id, title, chosen, isRight, isPrediction: false, isRevealed: isRight },
      options: options.map(({ id, text }) => ({ id, text: toLine(text) })),
      ...whyView(options, chosen, question.right),
      explanation: toHtml(explanation, {}),
    };
  });
  return { missed: missed.length, again };
}
