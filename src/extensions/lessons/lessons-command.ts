import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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
import { loadConfig } from '../../sandbox/config/load-config.ts';
import { builtIn } from './built-in.ts';
import type { LessonFolder } from './lesson.ts';
import { findLessonFolders } from './lesson-folders.ts';
import { writeLesson } from './new-lesson.ts';
import { type PackLesson, readPack } from './pack/read-pack.ts';
import { readSolver } from './pack/read-solver.ts';
import { solverOf } from './solvers.ts';
import { readLessonText } from './text/lesson-text.ts';
import { type TrialResult, tryLesson } from './trial/try-lesson.ts';

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

/** One line for each lesson. */
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
  const out = results.map(({ lesson, task, fault }) =>
    fault === undefined ? `ok      ${lesson} / ${task}\n` : `NOT OK  ${lesson} / ${task}: ${fault}\n`,
  );
  const failed = results.filter(({ fault }) => fault !== undefined).map(({ lesson, task }) => `${lesson} / ${task}`);
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
  if (typeof solver === 'string') return tasks.map(task => ({ lesson: id, task, fault: solver }));
  return tryLesson({ url, lesson: id, tasks, solver, sleep });
}
