import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadExport } from '../../../sandbox/config/clients-file.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import { ConfigError, type ConfigProblem, show, toProblem } from '../../../sandbox/config/problem.ts';
import type { LessonKit } from '../author.ts';
import { builtIn } from '../built-in.ts';
import { answer, chain, exchange, seen } from '../checks/check.ts';
import type { LessonCode, LessonFolder } from '../lesson.ts';
import { issuerOf } from '../run/issuer-config.ts';
import { type LessonText, readLessonText } from '../text/lesson-text.ts';
import { checkCode } from './check-code.ts';
import { checkText } from './check-text.ts';

/** A lesson from a folder of the user. */
export interface PackLesson extends LessonFolder {
  /** Absolute. */
  readonly folder: string;
}

interface Reading {
  readonly lesson?: PackLesson;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Reads and checks the lessons in these folders.
 * @throws ConfigError that lists every problem of every lesson
 */
export async function readPack(folders: readonly string[], derive: Config['derive']): Promise<readonly PackLesson[]> {
  const readings: Reading[] = [];
  for (const folder of folders) readings.push(await readLesson(folder, derive));
  const lessons = readings.flatMap(({ lesson }) => lesson ?? []);
  const ids = [...builtIn.map(({ id }) => id), ...lessons.map(({ id }) => id)];
  const problems = [
    ...readings.flatMap(reading => reading.problems),
    ...lessons
      .filter(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id))
      .map(({ folder, id }) => problemAt(folder, { found: show(id), expected: 'a name that no other lesson has' })),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return lessons;
}

async function readLesson(folder: string, derive: Config['derive']): Promise<Reading> {
  const id = basename(folder).replace(/^\d+-/, '');
  const [text, code] = [readText(folder, id), await readCode(folder, derive)];
  const problems = [...nameProblems(folder, id), ...text.problems, ...code.problems];
  if (text.text !== undefined && code.code !== undefined) problems.push(...taskProblems(folder, code.code, text.text));
  if (problems.length > 0 || text.file === undefined || code.code === undefined) return { problems };
  const loaded = { lesson: code.code, text: text.file };
  return { lesson: { id, folder, load: async () => loaded }, problems };
}

/** Addresses contain the name. */
function nameProblems(folder: string, id: string): readonly ConfigProblem[] {
  if (/^[a-z][a-z\d-]{0,39}$/.test(id)) return [];
  const expected = 'a name such as 01-printer: small letters, digits and -, at most 40 of them';
  return [problemAt(folder, { found: show(basename(folder)), expected })];
}

interface TextReading {
  readonly file?: string;
  readonly text?: LessonText;
  readonly problems: readonly ConfigProblem[];
}

function readText(folder: string, id: string): TextReading {
  const path = join(folder, 'lesson.md');
  if (!existsSync(path))
    return { problems: [problemAt(folder, { file: 'lesson.md', expected: 'a file that exists' })] };
  const file = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const problems = checkText(file).map(({ line, found, expected }) =>
    problemAt(folder, { file: `lesson.md:${line}`, expected, ...(found === undefined ? {} : { found: show(found) }) }),
  );
  return problems.length > 0 ? { problems } : { file, text: readLessonText(id, file), problems };
}

interface CodeReading {
  readonly code?: LessonCode;
  readonly problems: readonly ConfigProblem[];
}

async function readCode(folder: string, derive: Config['derive']): Promise<CodeReading> {
  const file = 'lesson.ts';
  const loaded = await loadExport(join(folder, file), 'lesson');
  if ('fault' in loaded) return { problems: [problemAt(folder, { file, expected: loaded.fault })] };
  const made = called(loaded.content);
  if ('fault' in made) return { problems: [problemAt(folder, { file, expected: made.fault })] };
  const name = nameOf(folder, file);
  const { code, findings } = checkCode(made.content);
  if (code === undefined) return { problems: findings.map(finding => toProblem(name, finding)) };
  const problems = await issuerProblems(`${name}: issuer`, code, derive);
  return problems.length > 0 ? { problems } : { code, problems };
}

const kit: LessonKit = { seen, chain, exchange, answer };

/** A function gets the kit; data is used unchanged. */
function called(content: unknown): { readonly content: unknown } | { readonly fault: string } {
  if (typeof content !== 'function') return { content };
  try {
    return { content: content(kit) };
  } catch (error) {
    return { fault: `a function that returns a lesson, but it threw ${String(error)}` };
  }
}

async function issuerProblems(
  name: string,
  code: LessonCode,
  derive: Config['derive'],
): Promise<readonly ConfigProblem[]> {
  try {
    // as it runs: nothing that is set for the sandbox changes a lesson
    await derive(name, { ...issuerOf(code) }, true);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Each task has its code in `lesson.ts` and its text in `lesson.md`. */
function taskProblems(folder: string, { tasks }: LessonCode, text: LessonText): readonly ConfigProblem[] {
  const coded = tasks.map(({ id }) => id);
  const written = text.tasks.map(({ id }) => id);
  const all = [...coded, ...text.quizzes.map(({ question }) => question.id)];
  return [
    ...coded
      .filter(id => !written.includes(id))
      .map(id => problemAt(folder, { file: 'lesson.md', expected: `a heading ## Task ${id}: TITLE` })),
    ...written
      .filter(id => !coded.includes(id))
      .map(id => problemAt(folder, { file: 'lesson.ts: tasks', expected: `a task with the id ${show(id)}` })),
    ...all
      .filter((id, index) => all.indexOf(id) !== index)
      .map(id => problemAt(folder, { expected: `${show(id)} as the id of one task or quiz, not of two` })),
    ...text.quizzes
      .filter(({ options }) => options.length < 2)
      .map(({ question: { id } }) =>
        problemAt(folder, { file: 'lesson.md', expected: `a list with two answers or more below ## Quiz ${id}` }),
      ),
  ];
}

function problemAt(
  folder: string,
  { file, found, expected }: { readonly file?: string; readonly found?: string; readonly expected: string },
): ConfigProblem {
  return { source: nameOf(folder, file), expected, ...(found === undefined ? {} : { value: found }) };
}

/** The path that the user knows: `lessons/01-printer/lesson.md`. */
function nameOf(folder: string, file?: string): string {
  return ['lessons', basename(folder), ...(file === undefined ? [] : [file])].join('/');
}
