import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { listing } from '../../../base/text/words.ts';
import { entries } from '../../../record/problems/reasons/index.ts';
import { eventTypesOf } from '../../../sandbox/added-events.ts';
import { loadExport } from '../../../sandbox/config/clients-file.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import { ConfigError, type ConfigProblem, type Finding, show, toProblem } from '../../../sandbox/config/problem.ts';
import { entry, list, message, readDraft, text } from '../../../sandbox/config/schema.ts';
import type { LessonKit } from '../author.ts';
import { builtIn } from '../built-in.ts';
import { answer, type ChainStep, chain, exchange, seen, type TaskCheck } from '../checks/check.ts';
import { rowOf, stampFields } from '../checks/event-table.ts';
import { readings } from '../checks/readings.ts';
import { eventWords } from '../event-words.ts';
import { drawingNames, type LessonCode, type LessonFolder, type LessonTask } from '../lesson.ts';
import { issuerOf } from '../run/issuer-config.ts';
import { type LessonText, pictureStep, readLessonText } from '../text/lesson-text.ts';
import { fieldFindings } from './check-fields.ts';
import { facts, frontMatterFindings, nameFindings, type TextFinding } from './front-matter.ts';

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

function idOf(folder: string): string {
  return basename(folder).replace(/^\d+-/, '');
}

/** `known`: the ids of all lessons. */
async function readLesson(folder: string, known: readonly string[], derive: Config['derive']): Promise<Reading> {
  const id = idOf(folder);
  const [text, code] = [readText(folder, id, known), await readCode(folder, derive)];
  const problems = [...nameProblems(folder, id), ...text.problems, ...code.problems];
  if (code.tasks !== undefined && text.ids !== undefined) problems.push(...idProblems(folder, code.tasks, text));
  if (text.text !== undefined && code.code !== undefined) problems.push(...taskProblems(folder, code.code, text.text));
  if (problems.length > 0 || text.file === undefined || code.code === undefined) return { problems };
  const loaded = { lesson: code.code, text: text.file };
  return { lesson: { id, folder, load: async () => loaded }, problems };
}

/** Addresses contain the name. */
function nameProblems(folder: string, id: string): readonly ConfigProblem[] {
  if (id === 'recall')
    return [
      problemAt(folder, {
        found: show(id),
        expected: 'a name other than recall, which is the page of the missed questions',
      }),
    ];
  if (/^[a-z][a-z\d-]{0,39}$/.test(id)) return [];
  const expected = 'a name such as 01-printer: small letters, digits and -, at most 40 of them';
  return [problemAt(folder, { found: show(basename(folder)), expected })];
}

interface TextReading {
  readonly file?: string;
  readonly text?: LessonText;
  /** The ids of the tasks, also where something else is wrong. */
  readonly ids?: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

function readText(folder: string, id: string, known: readonly string[]): TextReading {
  const path = join(folder, 'lesson.md');
  if (!existsSync(path))
    return { problems: [problemAt(folder, { file: 'lesson.md', expected: 'a file that exists' })] };
  const file = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  const problems = [...checkText(file), ...nameFindings(file, id, known)].map(({ line, found, ...told }) =>
    problemAt(folder, { file: `lesson.md:${line}`, ...told, ...(found === undefined ? {} : { found: show(found) }) }),
  );
  const ids = [...file.matchAll(/^## Task ([\w-]+): ./gm)].map(([, task = '']) => task);
  return problems.length > 0 ? { ids, problems } : { file, text: readLessonText(id, file), ids, problems };
}

interface CodeReading {
  readonly code?: LessonCode;
  /** The ids of the tasks, also where something else is wrong. */
  readonly tasks?: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

async function readCode(folder: string, derive: Config['derive']): Promise<CodeReading> {
  const file = 'lesson.ts';
  const loaded = await loadExport(join(folder, file), 'lesson');
  if ('problem' in loaded) return { problems: [problemAt(folder, { file, expected: loaded.problem })] };
  const made = called(loaded.content);
  if ('problem' in made) return { problems: [problemAt(folder, { file, expected: made.problem })] };
  const name = nameOf(folder, file);
  const { code, findings } = checkCode(made.content);
  const tasks = idsIn(made.content);
  if (code === undefined) return { tasks, problems: findings.map(finding => toProblem(name, finding)) };
  const problems = await issuerProblems(`${name}: issuer`, code, derive);
  return problems.length > 0 ? { tasks, problems } : { code, tasks, problems };
}

function idsIn(content: unknown): readonly string[] {
  const tasks = isRecord(content) && Array.isArray(content.tasks) ? content.tasks : [];
  return tasks.flatMap(each => (isRecord(each) && typeof each.id === 'string' ? each.id : []));
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
  code: LessonCode,
  derive: Config['derive'],
): Promise<readonly ConfigProblem[]> {
  try {
    // as it runs: nothing that is set for the sandbox changes a lesson
    await derive(name, { ...issuerOf(code, { issuer: 'http://localhost:9000/i/lesson' }) }, true);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** Each task has its code in `lesson.ts` and its text in `lesson.md`. Two that lack each other are one problem: a wrong id. */
function idProblems(folder: string, coded: readonly string[], { ids: written = [], text }: TextReading) {
  const untold = coded.filter(id => !written.includes(id));
  const uncoded = written.filter(id => !coded.includes(id));
  const pairs = untold.flatMap((id, index) => {
    const other = nearestName(id, uncoded) ?? (untold.length === uncoded.length ? uncoded[index] : undefined);
    return other === undefined ? [] : [[id, other] as const];
  });
  const [wrong, meant] = [pairs.map(([id]) => id), pairs.map(([, other]) => other)];
  // a heading that cannot be read is a problem of its own, and may be that of the task
  const missing = text === undefined ? [] : untold.filter(id => !wrong.includes(id));
  return [
    ...pairs.map(([id, other]) =>
      problemAt(folder, {
        file: `lesson.ts: tasks[${coded.indexOf(id)}].id`,
        found: show(id),
        expected: `the id of a heading in lesson.md: ## Task ${other}`,
      }),
    ),
    ...missing.map(id => problemAt(folder, { file: 'lesson.md', expected: `a heading ## Task ${id}: TITLE` })),
    ...uncoded
      .filter(id => !meant.includes(id))
      .map(id => problemAt(folder, { file: 'lesson.ts: tasks', expected: `a task with the id ${show(id)}` })),
  ];
}

function taskProblems(folder: string, { tasks }: LessonCode, text: LessonText): readonly ConfigProblem[] {
  const coded = tasks.map(({ id }) => id);
  const all = [...coded, ...text.quizzes.map(({ question }) => question.id)];
  return [
    ...tasks.flatMap((each, index) =>
      strangersIn(each).map(([name, near]) => {
        const expected = `the reason of a refusal, or what a check compares${near === undefined ? '' : ` (did you mean ${near}?)`}`;
        return problemAt(folder, { file: `lesson.ts: tasks[${index}].close`, found: show(name), expected });
      }),
    ),
    ...tasks.flatMap(({ after }, index) => {
      if (after === undefined || coded.slice(0, index).includes(after)) return [];
      const near = nearestName(after, coded.slice(0, index));
      const expected = `the id of an earlier task${near === undefined ? '' : ` (did you mean ${near}?)`}`;
      return [problemAt(folder, { file: `lesson.ts: tasks[${index}].after`, found: show(after), expected })];
    }),
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

/** Names in `close` that are no reason of a refusal and nothing that a check of the task compares, with the one that is probably meant. */
export function strangersIn({ checks, close = {} }: LessonTask): readonly (readonly [name: string, meant?: string])[] {
  const known = [...Object.keys(entries), ...checks.flatMap(comparedBy)];
  return Object.keys(close).flatMap(name => {
    if (known.includes(name)) return [];
    const meant = nearestName(name, known);
    return [meant === undefined ? [name] : [name, meant]];
  });
}

function comparedBy(check: TaskCheck): readonly string[] {
  if (check.form === 'answer') return [];
  const ofChain = check.form === 'chain' ? check.by : [];
  const steps: readonly ChainStep[] = check.form === 'chain' ? check.steps : [check.pattern];
  return [
    ...ofChain,
    ...steps.flatMap(({ request, ...step }) => [
      ...Object.keys(step),
      ...Object.keys({ ...request, ...request?.parameter, ...request?.header }),
      ...Object.values({ ...step.read, ...(check.form === 'exchange' ? check.read : {}) }).map(String),
    ]),
  ];
}

function problemAt(
  folder: string,
  {
    file,
    found,
    ...told
  }: Pick<ConfigProblem, 'expected' | 'nearest'> & { readonly file?: string; readonly found?: string },
): ConfigProblem {
  return { source: nameOf(folder, file), ...told, ...(found === undefined ? {} : { value: found }) };
}

/** The path that the user knows: `lessons/01-printer/lesson.md`. */
function nameOf(folder: string, file?: string): string {
  return ['lessons', basename(folder), ...(file === undefined ? [] : [file])].join('/');
}

const object = v.custom<object>(isRecord, 'an object');

const eventTypes = eventTypesOf([{ events: { words: eventWords } }]);

const wanted = v.union([text, v.array(text), object], 'a text, a list of texts, or an object such as { includes: … }');
const byName = v.record(v.string(), wanted, 'an object with a value for each name');
const patternEntries = {
  type: v.picklist(eventTypes, ({ input }) =>
    message('the type of an event', typeof input === 'string' ? nearestName(input, eventTypes) : undefined),
  ),
  request: v.optional(
    entry({
      ...{ method: v.optional(wanted), path: v.optional(wanted), piece: v.optional(wanted) },
      ...{ parameter: v.optional(byName), header: v.optional(byName) },
    }),
  ),
};
const others = ['type', 'request', 'as', 'read', 'next', ...stampFields];
/** Names only fields that events of its type have. A type of the sandbox itself may have any. */
function named<T extends { readonly type: string }>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const fields = rowOf(value.type)?.fields;
    for (const key of fields === undefined ? [] : Object.keys(value)) {
      if (fields?.includes(key) === true || others.includes(key)) continue;
      const expected = message(`a field of ${value.type}`, nearestName(key, fields ?? []));
      const path = [{ type: 'object', origin: 'key', input: { ...value }, key, value: undefined }] as const;
      addIssue({ message: expected, input: key, path: [...path] });
    }
  });
}
const pattern = v.pipe(v.looseObject(patternEntries, 'an object with the type of an event'), named());
const reading = v.pipe(
  v.looseObject({ is: wanted }, 'an object: one thing to read, and its value `is`'),
  v.check(
    read => Object.keys(readings).some(name => typeof read[name] === 'string'),
    listing(Object.keys(readings), 'or'),
  ),
);
const step = v.pipe(
  v.looseObject(
    { ...patternEntries, read: v.optional(reading), next: v.optional(text) },
    'an object with the type of an event',
  ),
  named(),
);
const check = v.variant(
  'form',
  [
    v.looseObject({ form: v.literal('seen'), pattern }),
    v.looseObject({
      form: v.literal('chain'),
      steps: v.pipe(list(step, 'events'), v.minLength(1, 'a first event')),
    }),
    v.looseObject({ form: v.literal('exchange'), pattern, read: reading }),
    v.looseObject({ form: v.literal('answer'), question: object }),
  ],
  'a check made by seen, chain, exchange or answer',
);
const task = entry({
  id: v.pipe(text, v.regex(/^[\w-]+$/, 'letters, digits, _ and -')),
  checks: v.pipe(list(check, 'checks'), v.minLength(1, 'at least one check')),
  after: v.optional(text),
  close: v.optional(v.record(v.string(), text, 'an object with a sentence for each reason or field')),
});
const lesson = entry({
  issuer: object,
  tasks: v.pipe(list(task, 'tasks'), v.minLength(1, 'at least one task')),
  holdsRedirect: v.optional(v.literal(true, 'true')),
  drawing: v.optional(v.picklist(drawingNames, drawingNames.join(' or '))),
});

/** The code of a lesson if its shape is valid, otherwise its problems. It does not check the configuration of the issuer. */
export function checkCode(content: unknown): { readonly code?: LessonCode; readonly findings: readonly Finding[] } {
  const { findings } = readDraft(lesson, content);
  return findings.length > 0 ? { findings } : { code: content as LessonCode, findings }; // the schema has checked the type
}

/** All problems of a `lesson.md`. */
export function checkText(file: string): readonly TextFinding[] {
  const lines = file.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1)
    return [{ line: 1, expected: `front matter between two lines of --- with ${facts.join(', ')}` }];
  return [
    ...frontMatterFindings(lines.slice(1, end)),
    ...headingFindings(lines, end),
    ...pictureFindings(lines),
    ...fieldFindings(lines),
  ];
}

/** A line that is no message would not be drawn. */
function pictureFindings(lines: readonly string[]): readonly TextFinding[] {
  const start = lines.indexOf('## Picture');
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex(line => line.startsWith('#'));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).flatMap((found, index) => {
    if (found === '' || pictureStep(found.replace(/^- /, '')) !== undefined) return [];
    return [
      { line: start + 2 + index, found, expected: '- FROM to TO: TEXT, with browser, client, server, api or mallory' },
    ];
  });
}

/** Reports headings that belong neither to a task nor to a quiz, because their text would be lost. */
function headingFindings(lines: readonly string[], from: number): readonly TextFinding[] {
  let isCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || index < from) return [];
    const at = { line: index + 1, found: line };
    if (/^## (?!(Task|Quiz) [\w-]+: .|Picture$)/.test(line))
      return [{ ...at, expected: '## Task ID: TITLE, ## Quiz ID: TITLE or ## Picture' }];
    return /^### (?!(Hint|Solution)$)/.test(line) ? [{ ...at, expected: '### Hint or ### Solution' }] : [];
  });
}
