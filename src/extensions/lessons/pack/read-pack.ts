import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRecord } from '../../../base/text/record.ts';
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
import { type NamedTask, type TaskNames, taskProblems } from './check-tasks.ts';
import { checkText, quizFindings } from './check-text.ts';
import { nameFindings } from './front-matter.ts';
import { nameOf, problemAt } from './pack-problem.ts';

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
  const known = [...builtIn.map(({ id }) => id), ...folders.map(idOf)];
  for (const folder of folders) readings.push(await readLesson(folder, known, derive));
  const problems = readings.flatMap(reading => reading.problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return readings.flatMap(({ lesson }) => lesson ?? []);
}

function idOf(folder: string): string {
  return basename(folder).replace(/^\d+-/, '');
}

/** `known`: the ids of all lessons. */
async function readLesson(folder: string, known: readonly string[], derive: Config['derive']): Promise<Reading> {
  const id = idOf(folder);
  const [text, code] = [readText(folder, id, known), await readCode(folder, derive)];
  const problems = [...nameProblems(folder, id, known), ...text.problems, ...code.problems];
  if (code.tasks !== undefined && text.file !== undefined)
    problems.push(...taskProblems(folder, { ...text.names, tasks: code.tasks }));
  if (problems.length > 0 || text.file === undefined || code.code === undefined) return { problems };
  const loaded = { lesson: code.code, text: text.file };
  return { lesson: { id, folder, load: async () => loaded }, problems };
}

/** Pages beside those of the lessons. */
const pageNames = new Map([
  ['recall', 'the missed questions'],
  ['mistakes', 'the mistakes'],
]);

/** Addresses contain the name. */
function nameProblems(folder: string, id: string, known: readonly string[]): readonly ConfigProblem[] {
  const found = show(id);
  if (known.indexOf(id) !== known.lastIndexOf(id))
    return [problemAt(folder, { found, expected: 'a name that no other lesson has' })];
  const page = pageNames.get(id);
  if (page !== undefined)
    return [problemAt(folder, { found, expected: `a name other than ${id}, which is the page of ${page}` })];
  if (/^[a-z][a-z\d-]{0,39}$/.test(id)) return [];
  const expected = 'a name such as 01-printer: small letters, digits and -, at most 40 of them';
  return [problemAt(folder, { found: show(basename(folder)), expected })];
}

interface TextReading {
  readonly file?: string;
  readonly names: Omit<TaskNames, 'tasks'>;
  readonly problems: readonly ConfigProblem[];
}

function readText(folder: string, id: string, known: readonly string[]): TextReading {
  const path = join(folder, 'lesson.md');
  if (!existsSync(path)) {
    const problems = [problemAt(folder, { file: 'lesson.md', expected: 'a file that exists' })];
    return { names: { written: [], quizzes: [], isTextSound: false }, problems };
  }
  const file = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const { quizzes = [] } = readable(id, file) ?? {};
  const findings = [...checkText(file), ...nameFindings(file, id, known), ...quizFindings(file, quizzes)];
  const problems = findings.map(({ line, found, ...told }) =>
    problemAt(folder, { file: `lesson.md:${line}`, ...told, ...(found === undefined ? {} : { found: show(found) }) }),
  );
  const headings = [...file.matchAll(/^## Task ([\w-]+): ./gm)].map(([, task = '']) => task);
  return { file, names: { written: headings, quizzes, isTextSound: problems.length === 0 }, problems };
}

/** Undefined for a text whose front matter lacks a line. */
function readable(id: string, file: string): LessonText | undefined {
  try {
    return readLessonText(id, file);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface CodeReading {
  readonly code?: LessonCode;
  /** Also where something else is wrong. */
  readonly tasks?: readonly NamedTask[];
  readonly problems: readonly ConfigProblem[];
}

async function readCode(folder: string, derive: Config['derive']): Promise<CodeReading> {
  const file = 'lesson.ts';
  const loaded = await loadExport(join(folder, file), 'lesson');
  if ('problem' in loaded) return { problems: [problemAt(folder, { file, expected: loaded.problem })] };
  const made = called(loaded.content);
  if ('problem' in made) return { problems: [problemAt(folder, { file, expected: made.problem })] };
  const name = nameOf(folder, file);
  const { code, tasks, findings } = checkCode(made.content);
  const issuer = isRecord(made.content) ? made.content.issuer : undefined;
  const problems = [
    ...findings.map(finding => toProblem(name, finding)),
    ...(isRecord(issuer) ? await issuerProblems(`${name}: issuer`, issuer, derive) : []),
  ];
  return { tasks, problems, ...(code === undefined || problems.length > 0 ? {} : { code }) };
}

const kit: LessonKit = { seen, chain, exchange, answer };

/** A function gets the kit; data is used unchanged. */
function called(content: unknown): { readonly content: unknown } | { readonly problem: string } {
  if (typeof content !== 'function') return { content };
  try {
    return { content: content(kit) };
  } catch (error) {
    return { problem: `a function that returns a lesson, but it threw ${String(error)}` };
  }
}

async function issuerProblems(
  name: string,
  issuer: LessonCode['issuer'],
  derive: Config['derive'],
): Promise<readonly ConfigProblem[]> {
  try {
    // as it runs: nothing that is set for the sandbox changes a lesson
    await derive(name, { ...issuerOf({ issuer }, { issuer: 'http://localhost:9000/i/lesson' }) }, true);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
