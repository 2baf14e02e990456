import { basename } from 'node:path';
import { isRecord } from '../../../base/text/record.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import { ConfigError, type ConfigProblem, show, toProblem } from '../../../sandbox/config/problem.ts';
import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import type { LessonCode } from '../lesson.ts';
import { issuerOf } from '../run/issuer-config.ts';
import { weakened } from '../run/lesson-runs.ts';
import { type QuizText, readLessonText } from '../text/lesson-text.ts';
import { type CodeDraft, checkCode } from './check-code.ts';
import { labIn, labProblems, stepsIn } from './check-lab.ts';
import { idProblems, taskProblems } from './check-tasks.ts';
import { checkText, quizFindings } from './check-text.ts';
import { type KnownIds, nameFindings } from './front-matter.ts';
import { nameOf, problemAt } from './pack-problem.ts';

/** A lesson or lab that was read, and not checked yet. */
export interface LessonSource {
  readonly folder: string;
  readonly id: string;
  /** `lesson.md`; undefined if it does not exist. */
  readonly text?: string | undefined;
  /** The value that `lesson.ts` exports. */
  readonly content?: unknown;
  /** Why there is none. */
  readonly unreadable?: string;
}

interface CheckedLesson {
  /** Absent where there are problems. */
  readonly code?: LessonCode;
  readonly problems: readonly ConfigProblem[];
}

/** Checks a lesson or a lab, of a user or a built-in one. */
export async function checkLesson(
  source: LessonSource,
  known: KnownIds,
  derive: Config['derive'],
): Promise<CheckedLesson> {
  const { folder, id, text, content } = source;
  const draft = source.unreadable === undefined ? checkCode(content) : undefined;
  const quizzes = text === undefined ? [] : quizzesIn(id, text);
  const told = text === undefined ? [lacking(folder, 'lesson.md')] : textProblems({ ...source, text }, quizzes, known);
  const problems = [
    ...nameProblems(folder, id, known.all),
    ...told,
    ...(draft === undefined
      ? [problemAt(folder, { file: 'lesson.ts', expected: source.unreadable ?? '' })]
      : await codeProblems(folder, content, draft, derive)),
  ];
  if (draft !== undefined && text !== undefined)
    problems.push(...pairProblems({ ...source, text }, { draft, quizzes, isTextSound: told.length === 0 }));
  return problems.length === 0 && draft?.code !== undefined ? { code: draft.code, problems } : { problems };
}

function lacking(folder: string, file: string): ConfigProblem {
  return problemAt(folder, { file, expected: 'a file that exists' });
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

type WithText = LessonSource & { readonly text: string };

function textProblems(
  { folder, id, text, content, unreadable }: WithText,
  quizzes: readonly QuizText[],
  known: KnownIds,
): readonly ConfigProblem[] {
  const isLab = unreadable === undefined ? labIn(content) !== undefined : /^## Step /m.test(text);
  const findings = [...checkText(text, isLab), ...nameFindings(text, id, known), ...quizFindings(text, quizzes)];
  return findings.map(({ line, found, ...told }) =>
    problemAt(folder, { file: `lesson.md:${line}`, ...told, ...(found === undefined ? {} : { found: show(found) }) }),
  );
}

/** None for a text whose front matter lacks a line. */
function quizzesIn(id: string, text: string): readonly QuizText[] {
  try {
    return readLessonText(id, text).quizzes;
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

/** Problems of the shape, and of each issuer with the defence on and off, as it runs. */
async function codeProblems(
  folder: string,
  content: unknown,
  { code, findings }: CodeDraft,
  derive: Config['derive'],
): Promise<readonly ConfigProblem[]> {
  const name = nameOf(folder, 'lesson.ts');
  const issuer = isRecord(content) ? content.issuer : undefined;
  const ofIssuer = async (member: string, config: ShortLivedConfig) =>
    issuerProblems(`${name}: ${member}`, issuerOf({ issuer: config }, addresses), derive);
  const problems = [
    ...findings.map(finding => toProblem(name, finding)),
    ...(isRecord(issuer) ? await ofIssuer('issuer', issuer) : []),
  ];
  const { lab, issuer: defended = {} } = code ?? {};
  if (lab?.second !== undefined) problems.push(...(await ofIssuer('lab.second', lab.second)));
  if (lab?.weak.clients !== undefined && problems.length === 0)
    problems.push(...(await ofIssuer('lab.weak', weakened(defended, lab))));
  return problems;
}

const addresses = { issuer: 'http://localhost:9000/i/lesson', second: 'http://localhost:9000/i/lesson-second' };

/** Nothing that is set for the sandbox changes a lesson. */
async function issuerProblems(
  name: string,
  config: ShortLivedConfig,
  derive: Config['derive'],
): Promise<readonly ConfigProblem[]> {
  try {
    await derive(name, { ...config }, true);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

interface BothFiles {
  readonly draft: CodeDraft;
  readonly quizzes: readonly QuizText[];
  readonly isTextSound: boolean;
}

/** Problems of names that both files have. */
function pairProblems(
  { folder, text, content }: WithText,
  { draft: { tasks }, quizzes, isTextSound }: BothFiles,
): readonly ConfigProblem[] {
  const headings = (kind: string) =>
    [...text.matchAll(new RegExp(`^## ${kind} ([\\w-]+): .`, 'gm'))].map(([, id = '']) => id);
  const written = headings('Task');
  const ofTasks = taskProblems(folder, { tasks, written, quizzes, isTextSound });
  if (labIn(content) === undefined || !isRecord(content)) return ofTasks;
  const steps = { kind: 'Step', member: 'lab.steps', coded: stepsIn(content), written: headings('Step') } as const;
  const coded = tasks.map(({ id }) => id);
  return [
    ...ofTasks,
    ...idProblems(folder, { ...steps, isTextSound }),
    ...labProblems(folder, { content, text, quizzes, coded, written }),
  ];
}
