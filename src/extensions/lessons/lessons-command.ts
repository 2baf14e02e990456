import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRecord } from '../../base/text/record.ts';
import {
  type Command,
  CommandFailure,
  done,
  type Given,
  isOn,
  type Outcome,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { loadExport } from '../../sandbox/config/clients-file.ts';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { loadConfig } from '../../sandbox/config/load-config.ts';
import { builtIn } from './built-in.ts';
import type { LessonProgress, TaskProgress } from './control.ts';
import type { LessonFolder } from './lesson.ts';
import { findLessonFolders } from './lesson-folders.ts';
import template from './pack/new-lesson.md';
import { type PackLesson, readPack } from './pack/read-pack.ts';
import type { LessonSolver, Participant, TaskSolver } from './solver.ts';
import { solverOf } from './solvers.ts';
import { readLessonText } from './text/lesson-text.ts';
import { createParticipant } from './trial/participant.ts';

/** `grantbox lessons`. */
export const command: Command = {
  usage: '[--test [<lesson>…] | --new <name>] [--beside <folder>]',
  about: [
    'Lists the built-in lessons and those in the folder `lessons` beside the configuration. A running sandbox is not needed.',
    '--test runs the solver and the near miss of each task in a sandbox of its own, and ends with exit code 1 if a solver does not solve its task or a near miss does.',
  ],
  words: { name: 'lesson', most: 100 },
  flags: [
    { name: 'test', about: 'Run the solvers of your lessons, or of the lessons you name' },
    { name: 'new', value: '<name>', about: 'Write a lesson with comments, which passes --test' },
    {
      name: 'beside',
      value: '<folder>',
      about: 'Folder with the configuration, which the folder `lessons` is in',
      fallback: 'the working directory',
    },
  ],
  examples: [
    ['grantbox lessons --new printer', 'write lessons/01-printer'],
    ['grantbox lessons --test', 'test your lessons'],
    ['grantbox lessons --test printer code-pkce', 'test two lessons'],
  ],
  async run(given, world) {
    const name = textOf(given, 'new');
    const isTest = isOn(given, 'test');
    if (name !== undefined && isTest) throw new CommandFailure('--new and --test cannot be used together');
    if (!isTest && given.words.length > 0) throw new CommandFailure(`${given.words[0]} is only of use with --test`);
    const beside = besideOf(given, world);
    const own = await readPack(findLessonFolders(beside), (await loadConfig({ modules: world.modules })).derive);
    if (name !== undefined)
      return done(
        writeLesson(
          name,
          beside,
          [...builtIn, ...own].map(({ id }) => id),
        ),
      );
    return isTest ? test(own, given, world) : done(await listing(own));
  },
};

function besideOf(given: Given, { cwd }: World): string {
  const folder = resolve(cwd, textOf(given, 'beside') ?? '.');
  if (!existsSync(folder)) throw new CommandFailure(`the folder ${folder} does not exist`);
  return folder;
}

async function listing(own: readonly PackLesson[]): Promise<string> {
  const lessons = await Promise.all(
    [...builtIn, ...own].map(async ({ id, load }) => ({ id, ...readLessonText(id, (await load()).text) })),
  );
  const width = Math.max(...lessons.map(({ id }) => id.length));
  return lessons
    .map(({ id, minutes, title }) => `${id.padEnd(width)}  ${String(minutes).padStart(3)} min  ${title}`)
    .join('\n');
}

async function test(own: readonly PackLesson[], given: Given, world: World): Promise<Outcome> {
  const chosen = chosenFrom(own, given);
  const { startSandbox } = await import('../../sandbox/sandbox.ts');
  const config = await loadConfig({ modules: world.modules, overrides: { port: 0, logLevel: 'silent' } });
  const sandbox = await startSandbox({ ...config, folder: besideOf(given, world) });
  const sleep = world.timing?.sleep ?? setTimeout;
  const results: TrialResult[] = [];
  try {
    for (const lesson of chosen) results.push(...(await resultsOf(lesson, sandbox.url, sleep)));
  } finally {
    await sandbox.stop();
  }
  const out = results.map(({ lesson, task, problem }) =>
    problem === undefined ? `ok      ${lesson} / ${task}\n` : `NOT OK  ${lesson} / ${task}: ${problem}\n`,
  );
  const failed = results
    .filter(({ problem }) => problem !== undefined)
    .map(({ lesson, task }) => `${lesson} / ${task}`);
  if (failed.length === 0) return done(out.join(''));
  const note = `grantbox lessons: ${failed.length} of ${results.length} tasks failed: ${failed.join(', ')}\n`;
  return { code: 1, out: out.join(''), note };
}

type Testable = LessonFolder & Partial<Pick<PackLesson, 'folder'>>;

function chosenFrom(own: readonly PackLesson[], given: Given): readonly Testable[] {
  const { words } = given;
  const all: readonly Testable[] = [...builtIn, ...own];
  const unknown = words.find(word => !all.some(({ id }) => id === word));
  if (unknown !== undefined)
    throw new CommandFailure(`${unknown} is not a lesson: the lessons are ${all.map(({ id }) => id).join(', ')}`);
  if (own.length === 0 && words.length === 0) {
    const advice = 'Write one with --new, or name built-in lessons to test.';
    throw new CommandFailure('there is no folder `lessons` with a lesson of yours', 1, advice);
  }
  return words.length === 0 ? own : all.filter(({ id }) => words.includes(id));
}

async function resultsOf(
  { id, folder, load }: Testable,
  url: string,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<readonly TrialResult[]> {
  const { lesson } = await load();
  const solver = await (folder === undefined ? solverOf(id) : readSolver(folder));
  const tasks = lesson.tasks.map(task => task.id);
  if (typeof solver === 'string') return tasks.map(task => ({ lesson: id, task, problem: solver }));
  return tryLesson({ url, lesson: id, tasks, solver, sleep });
}

/** The solver of a lesson in this folder, or a description of the expected export. */
async function readSolver(folder: string): Promise<LessonSolver | string> {
  const loaded = await loadExport(join(folder, 'solve.ts'), 'solver');
  if ('problem' in loaded) return `solve.ts: expected ${loaded.problem}`;
  if (!isRecord(loaded.content)) return 'solve.ts: solver: expected an object with a solver for each task';
  const invalid = Object.entries(loaded.content).find(([, each]) => !isTaskSolver(each))?.[0];
  return invalid === undefined
    ? (loaded.content as LessonSolver) // each member was checked
    : `solve.ts: solver.${invalid}: expected an object with the functions solve and nearMiss`;
}

function isTaskSolver(value: unknown): boolean {
  return isRecord(value) && typeof value.solve === 'function' && typeof value.nearMiss === 'function';
}

/**
 * Writes the files of a new lesson, and tells the next step. `name` is as typed, with or without a number; `taken` are the ids of
 * all lessons.
 */
function writeLesson(name: string, beside: string, taken: readonly string[]): string {
  const id = name.replace(/^\d+-/, '');
  if (!/^[a-z][a-z\d-]{0,39}$/.test(id))
    throw new CommandFailure(`--new expects small letters, digits and -, such as printer, not ${JSON.stringify(name)}`);
  if (taken.includes(id)) throw new CommandFailure(`${id} is a lesson already`, 1, 'Choose a different name.');
  const folder = id === name ? `${nextNumber(beside)}-${id}` : name;
  const path = join(beside, 'lessons', folder);
  try {
    mkdirSync(path, { recursive: true });
    for (const [file, text] of newLesson(id, new Date().toISOString().slice(0, 10))) {
      writeFileSync(join(path, file), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new CommandFailure(`lessons/${folder} cannot be written (${fileFailure(error)})`);
  }
  return `lessons/${folder} was written. Next:  grantbox lessons --test ${id}`;
}

/** The number after the last lesson: `03`. */
function nextNumber(beside: string): string {
  const numbers = findLessonFolders(beside).map(folder => Number(/^\d+/.exec(basename(folder))?.[0] ?? 0));
  return String(Math.max(0, ...numbers) + 1).padStart(2, '0');
}

/** The files of a new lesson by name. `today` is a date such as 2026-11-23. */
function newLesson(id: string, today: string): ReadonlyMap<string, string> {
  const [, ...parts] = template.replaceAll('NAME', id).replaceAll('DATE', today).split(/^%% /m);
  return new Map(parts.map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}

export interface TrialParts {
  /** The URL of a sandbox with the lesson. */
  readonly url: string;
  readonly lesson: string;
  readonly tasks: readonly string[];
  readonly solver: LessonSolver;
  /** Waits for so many milliseconds. */
  sleep(milliseconds: number): Promise<unknown>;
}

/** Without `problem`, the solver solved the task and the near miss did not. */
export interface TrialResult {
  readonly lesson: string;
  readonly task: string;
  readonly problem?: string;
}

/** Runs the solver and the near miss of each task over real HTTP. */
async function tryLesson(parts: TrialParts): Promise<readonly TrialResult[]> {
  const { lesson, tasks, solver } = parts;
  const results: TrialResult[] = [];
  for (const task of tasks) {
    const own = solver[task];
    const problem = own === undefined ? 'solve.ts has no solver for it' : await problemOf(parts, task, own);
    results.push({ lesson, task, problem });
  }
  const strangers = Object.keys(solver).filter(task => !tasks.includes(task));
  return [
    ...results,
    ...strangers.map(task => ({ lesson, task, problem: 'solve.ts solves it, but the lesson has no such task' })),
  ];
}

async function problemOf(
  parts: TrialParts,
  task: string,
  { solve, nearMiss, nearState }: TaskSolver,
): Promise<string | undefined> {
  const near = await stateAfter(parts, task, nearMiss, nearState);
  if (typeof near === 'string') return `its near miss ended with ${near}`;
  if (near.state === 'done') return 'its near miss solved it';
  if (nearState !== undefined && near.state !== nearState)
    return `its near miss is ${described(near)}, and nearState says ${nearState}`;
  const solved = await stateAfter(parts, task, solve, 'done');
  if (typeof solved === 'string') return `its solver ended with ${solved}`;
  return solved.state === 'done' ? undefined : `its solver did not solve it: ${described(solved)}`;
}

/** The state of the task after a solver worked on it in a new issuer, or the error that stopped it. */
async function stateAfter(
  parts: TrialParts,
  task: string,
  work: (by: Participant) => Promise<void>,
  wanted: TaskProgress['state'] | undefined,
): Promise<TaskProgress | string> {
  const { learner, issuer = '' } = await ask(parts, 'reset');
  try {
    await work(createParticipant(issuer, parts.lesson));
  } catch (error) {
    return String(error);
  }
  const read = async () => (await ask(parts, 'progress', learner)).tasks.find(each => each.task === task);
  let state: TaskProgress | undefined;
  // a request is recorded shortly after its answer has arrived
  const most = wanted === undefined ? 1 : mostPauses;
  for (let pauses = 0; pauses < most && state?.state !== (wanted ?? 'done'); pauses++) {
    await parts.sleep(pause);
    state = await read();
  }
  return state ?? 'no such task';
}

const pause = 50;
const mostPauses = 40;

async function ask({ url, lesson }: TrialParts, what: 'reset' | 'progress', learner = ''): Promise<LessonProgress> {
  const address = `${url}/_sandbox/lessons/${lesson}/${what}?learner=${learner}`;
  const response = await fetch(address, { method: what === 'reset' ? 'POST' : 'GET' });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as LessonProgress; // our own control API sends this type
}

function described({ state, difference }: TaskProgress): string {
  if (difference === undefined) return state;
  const { field, sent, expected } = difference;
  return `${state}: ${field} was ${sent ?? 'absent'}, expected ${expected}`;
}
