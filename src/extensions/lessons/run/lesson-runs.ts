import { defined } from '../../../base/defined.ts';
import type { ShortLivedConfig, ShortLivedOptions } from '../../../sandbox/control/short-lived.ts';
import { answer, type Question, type TaskResult } from '../checks/check.ts';
import type { LessonFacts, LessonProgress, TaskProgress } from '../control.ts';
import { type Drawn, drawMystery } from '../draw.ts';
import type { LabParts, LabState } from '../lab/lab.ts';
import { createLabRun, type LabRun, type MutableLabState } from '../lab/lab-run.ts';
import type { LessonCode, LessonFolder } from '../lesson.ts';
import type { LessonStarted, TaskDone } from '../lesson-events.ts';
import { type LessonText, readLessonText, roundOf } from '../text/lesson-text.ts';
import { issuerOf } from './issuer-config.ts';
import { createLearners, forgetLesson, type Learners, savedOf, setRun } from './learners.ts';
import { type Checked, createRun, type LearnerIssuer, type SavedRun } from './lesson-run.ts';
import { labWithout, mysteryTasks } from './mystery.ts';

export interface RunsParts {
  readonly folders: readonly LessonFolder[];
  addressOf(id: string): string;
  /** `lab`: the state of a lab, which makes the issuer careless while the defence is off. */
  createIssuer(config: ShortLivedConfig, options: ShortLivedOptions, lab?: LabState): Promise<LearnerIssuer>;
  tell(fact: LessonStarted | TaskDone): void;
  /** A random value that cannot be guessed. It gives a browser access to the lessons of a learner. */
  newId(): string;
  /** The name of the only learner, which is part of the addresses. Default: there are many learners, by their ids. */
  readonly learner?: string;
  /** The most running issuers of one learner. A further lesson ends the oldest one. Default: no limit. */
  readonly mostRunning?: number;
  /** Stands in the commands that call the control API, which asks for a key. Default: it asks for none. */
  readonly controlKey?: string;
  /** False while a trainer locks the hints. Default: hints can be opened. */
  mayOpenHints?(): boolean;
  /** Decides which mysteries are drawn. Default: chance does. */
  readonly seed?: string | undefined;
}

export interface OpenLesson {
  readonly id: string;
  readonly code: LessonCode;
  readonly text: LessonText;
}

/** All lessons of all learners. */
export type LessonRuns = ReturnType<typeof createRuns>;

/** Eight hours: one day of a course. */
const lifetime = 8 * 3600;

export function createRuns(parts: RunsParts) {
  const lessons = createShelf(parts.folders);
  const learners = createLearners(parts.learner === undefined ? parts.newId : () => parts.learner ?? '');
  if (parts.learner !== undefined) learners.known(undefined); // a trainer may unlock a hint before the first lesson
  const { run: runOf } = learners;

  async function start(lessonId: string, learnerId: string | undefined, afresh: boolean) {
    const lesson = await lessons.open(lessonId);
    if (lesson === undefined) return undefined;
    const [id, learner] = learners.known(learnerId);
    await learner.starting; // a double click starts only one run
    const running = runOf(lessonId, id);
    const before = savedOf(learner, lessonId)?.drawn;
    if (afresh) forgetLesson(learner, lessonId);
    if (running === undefined || afresh) {
      const beginning = begin(parts, lesson, id, { saved: savedOf(learner, lessonId), before });
      learner.starting = beginning.catch(() => {});
      setRun(learner, lessonId, await beginning, parts.mostRunning);
    }
    return progressOf(lesson, id, learners);
  }

  async function progress(lessonId: string, learnerId = '', task?: string): Promise<LessonProgress | undefined> {
    const lesson = await lessons.open(lessonId);
    const id = learners.has(learnerId) ? learnerId : '';
    await runOf(lessonId, id)?.examiner?.settled();
    return lesson && progressOf(lesson, id, learners, task);
  }

  return {
    ...lessons,
    ...learners,
    list: async (): Promise<readonly LessonFacts[]> => (await lessons.all()).map(factsOf),
    start: (lesson: string, learner: string | undefined) => start(lesson, learner, false),
    reset: (lesson: string, learner: string | undefined) => start(lesson, learner, true),
    progress,
    controlKey: parts.controlKey,
    /** Ends the issuer of a lesson and forgets its progress. */
    forgetLesson: (lesson: string, learner: string) => forgetLesson(learners.known(learner)[1], lesson),
    mayOpenHints: () => parts.mayOpenHints?.() !== false,
  };
}

function createShelf(folders: readonly LessonFolder[]) {
  const loaded = new Map<string, Promise<OpenLesson>>();

  function open(id: string): Promise<OpenLesson> | undefined {
    const folder = folders.find(each => each.id === id);
    if (folder === undefined) return undefined;
    const lesson = loaded.get(id) ?? load(folder);
    loaded.set(id, lesson);
    return lesson;
  }

  return { open, all: () => Promise.all(folders.flatMap(({ id }) => open(id) ?? [])) };
}

interface Earlier {
  /** The run that goes on. */
  readonly saved: SavedRun | undefined;
  /** The mystery that the learner had until now. */
  readonly before: Drawn | undefined;
}

async function begin(parts: RunsParts, lesson: OpenLesson, learner: string, earlier: Earlier) {
  const { addressOf, createIssuer, tell } = parts;
  const { id, text } = lesson;
  const { saved } = earlier;
  const { code, tasks, drawn } = drawnCode(lesson, earlier, parts.seed);
  const options = { id: `${id}-${parts.learner ?? learner.slice(0, 8)}`, lifetime };
  const { own, lab } = await (code.lab === undefined
    ? { own: await createIssuer(issuerOf(code, { issuer: addressOf(options.id) }), options), lab: undefined }
    : beginLab(parts, { ...code, lab: code.lab }, { ...options, missing: drawn?.missing }));
  const { issuer } = own;
  tell({ type: 'lesson.started', lesson: id, issuer });
  const quizzes = text.quizzes.map(({ question }) => ({ id: question.id, checks: [answer(asked(question))] }));
  const checked: readonly Checked[] = tasks ?? [...code.tasks, ...quizzes];
  const onDone = (task: string, doneBy: string | undefined) =>
    tell({ type: 'task.done', lesson: id, task, issuer, ...defined({ doneBy }) });
  const { probe, report } = code;
  return createRun({ own, saved, lab, probe, report, tasks: checked, onDone, drawn });
}

/** The lesson itself, or the mystery that a run goes on with, or a new one. */
function drawnCode({ code, text }: OpenLesson, { saved, before }: Earlier, seed: string | undefined) {
  const { suspects } = code.lab ?? {};
  if (code.lab === undefined || suspects === undefined) return { code };
  const isKnown = suspects.some(({ id }) => id === saved?.drawn?.missing);
  const drawn = saved?.drawn && isKnown ? saved.drawn : drawMystery({ suspects, before, seed });
  const suspect = suspects.find(({ id }) => id === drawn.missing);
  if (suspect === undefined) return { code };
  return { code: { ...code, lab: labWithout(code.lab, suspect) }, tasks: mysteryTasks(code, text, suspect), drawn };
}

/** A prediction is done with any answer: the attack shows whether it was right. */
function asked({ right, ...question }: Question): Question {
  return roundOf(question.id) === undefined ? { ...question, right } : question;
}

async function load({ id, load }: LessonFolder): Promise<OpenLesson> {
  const { lesson: code, text } = await load();
  return { id, code, text: readLessonText(id, text) };
}

export function factsOf({ id, code, text: { title, minutes, needs, references } }: OpenLesson): LessonFacts {
  return { id, title, minutes, needs, references, kind: code.lab === undefined ? 'lesson' : 'lab' };
}

function progressOf(
  { id, code, text }: OpenLesson,
  learner: string,
  learners: Learners,
  inWork?: string,
): LessonProgress {
  const run = learners.run(id, learner);
  const results = learners.results(id, learner, inWork);
  const ids = [...code.tasks.map(task => task.id), ...text.quizzes.map(({ question }) => question.id)];
  const tasks = ids.map(task => taskProgress(task, results.get(task)));
  return { lesson: id, learner, issuer: run?.issuer, tasks };
}

function taskProgress(task: string, result: TaskResult = { state: 'not yet' }): TaskProgress {
  const { state, requestId } = result;
  if (state === 'done') return { task, state, requestId };
  const { says } = result;
  if (state === 'not yet') return { task, state, requestId, says };
  const { part: _, has = [], ...difference } = result.difference;
  return { task, state, requestId, says, difference: { ...difference, has: [...has] } };
}

interface BeginParts {
  addressOf(id: string): string;
  createIssuer(config: ShortLivedConfig, options: ShortLivedOptions, lab?: LabState): Promise<LearnerIssuer>;
}

async function beginLab(
  { addressOf, createIssuer }: BeginParts,
  { lab, ...code }: LessonCode & { readonly lab: LabParts },
  { id, lifetime, missing }: { readonly id: string; readonly lifetime: number; readonly missing: string | undefined },
): Promise<{ readonly own: LearnerIssuer; readonly lab: { readonly run: LabRun; readonly second?: LearnerIssuer } }> {
  const secondId = `${id}-second`;
  const second = lab.second === undefined ? '' : addressOf(secondId);
  const addresses = { issuer: addressOf(id), second };
  const state: MutableLabState = { isDefended: false, weak: lab.weak, second, ...defined({ missing }) };
  const defended = issuerOf(code, addresses);
  const own = await createIssuer(weakened(defended, lab), { id, lifetime }, state);
  const other =
    lab.second === undefined
      ? undefined
      : await createIssuer(issuerOf({ issuer: lab.second }, addresses), { id: secondId, lifetime }, state);
  const run = createLabRun({
    ...{ lab, state },
    issuers: other === undefined ? [own] : [own, other],
    emit: own.emit,
    sendAs: own.sendAs,
    async setClients(isDefended) {
      const { clients = [] } = isDefended ? defended : weakened(defended, lab);
      for (const { client_id, ...members } of clients) {
        if (lab.weak.clients?.[client_id] !== undefined) await own.setClient(client_id, members);
      }
    },
  });
  return { own, lab: { run, second: other } };
}

/** The configuration with the careless members of its clients. */
export function weakened({ clients = [], ...config }: ShortLivedConfig, { weak }: LabParts): ShortLivedConfig {
  return { ...config, clients: clients.map(client => ({ ...client, ...weak.clients?.[client.client_id] })) };
}
