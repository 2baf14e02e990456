import { isRecord } from '../../../base/text/record.ts';
import { badgeOf } from '../../../dashboard/status-badge.ts';
import type { Bench, BenchAnswer } from '../run/bench.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import type { OpenLesson } from '../run/lesson-runs.ts';
import { callOf } from '../text/command.ts';
import { blankOf, type Field, filledIn, namesIn } from '../text/fields.ts';
import type { LessonText, TaskText } from '../text/lesson-text.ts';
import { type CommandBlock, type FileBlock, formsOf, partsOf, type TextPart } from '../text/parts.ts';
import { escapeHtml, toHtml } from '../text/to-html.ts';

/** A text of a task that the learner sees. */
interface ShownText {
  /** Begins the keys of its commands. */
  readonly key: string;
  readonly text: string;
  /** A hint or a solution. */
  readonly isExtra: boolean;
}

interface Shown {
  readonly opened: ReadonlySet<string>;
  /** For the commands that call the control API. The page sends them without. */
  readonly controlKey?: string | undefined;
}

/** The texts of a task: its own, the opened hints, and the solution if it is opened. */
export function shownTexts(lesson: string, task: TaskText, { opened, controlKey }: Shown): readonly ShownText[] {
  const isOpen = (part: number | string) => opened.has(`${lesson}/${task.id}/${part}`);
  const all = [
    { key: task.id, text: task.text, isExtra: false },
    ...task.hints.flatMap((text, index) =>
      isOpen(index) ? [{ key: `${task.id}-hint-${index}`, text, isExtra: true }] : [],
    ),
    ...(isOpen('solution') ? [{ key: `${task.id}-solution`, text: task.solution, isExtra: true }] : []),
  ];
  return all.map(each => ({ ...each, text: withKey(each.text, controlKey) }));
}

/** Adds the key to the commands that call the control API of the learner's issuer. */
function withKey(text: string, key: string | undefined): string {
  if (key === undefined) return text;
  return text
    .replace(/^curl\S* .*\{\{issuer\}\}\/_sandbox.*$/gm, line => `${line} -H 'Authorization: Bearer ${key}'`)
    .replace(/^npx grantbox .*--sandbox \{\{issuer\}\}.*$/gm, line => `${line} --control-token ${key}`);
}

/** All boxes of a lesson, also those of hints and solutions. */
export function fieldsIn({ tasks }: LessonText): readonly Field[] {
  const texts = tasks.flatMap(({ text, hints, solution }) => [text, ...hints, solution]);
  return texts.flatMap(text => partsOf(text, '').flatMap(part => ('field' in part ? [part.field] : [])));
}

/** The boxes beside one, without a command between them. */
export function fieldsBeside({ tasks }: LessonText, name: string): readonly Field[] {
  const rows = tasks.flatMap(({ text, hints, solution }) =>
    [text, ...hints, solution].flatMap(each => rowsOf(partsOf(each, ''))),
  );
  return rows.find(row => row.some(field => field.name === name))?.filter(field => field.name !== name) ?? [];
}

function rowsOf(parts: readonly TextPart[]): readonly (readonly Field[])[] {
  const rows: Field[][] = [[]];
  for (const part of parts) {
    if ('field' in part) rows.at(-1)?.push(part.field);
    else rows.push([]);
  }
  return rows;
}

interface TextSource {
  readonly run: LessonRun | undefined;
  readonly fields: readonly Field[];
  readonly values: Readonly<Record<string, string>>;
}

/** A text in parts, as `lesson-text.ejs` shows them. */
export function textView(text: string, key: string, { run, fields, values }: TextSource) {
  const all = { ...values, ...run?.bench.values() };
  return partsOf(text, key).map(part => {
    if ('markdown' in part) return { html: toHtml(part.markdown, values) };
    if ('file' in part) return { file: { ...fileView(part.file, values), isReady: run !== undefined } };
    return 'field' in part
      ? { field: fieldView(part.field, run?.bench) }
      : { command: commandView(part.command, { run, fields, values: all }) };
  });
}

function fileView({ name, text }: FileBlock, values: Readonly<Record<string, string>>) {
  return { name, text: filledIn(text, values) };
}

/** A file of a lesson with the values of the learner; undefined if the lesson has none of this name. */
export function fileIn({ tasks }: LessonText, name: string, values: Readonly<Record<string, string>>) {
  const parts = tasks.flatMap(({ text }) => partsOf(text, ''));
  const found = parts.find(part => 'file' in part && part.file.name === name);
  return found !== undefined && 'file' in found ? fileView(found.file, values).text : undefined;
}

function fieldView({ name, label }: Field, bench: Bench | undefined) {
  const { problem, typed } = bench?.problem(name) ?? {};
  return {
    name,
    label: label.charAt(0).toUpperCase() + label.slice(1),
    value: typed ?? bench?.values()[name] ?? '',
    problem,
  };
}

function commandView(command: CommandBlock, { run, fields, values }: TextSource) {
  const forms = formsOf(command, values);
  const wanted = namesIn(`${command.source}${command.powershell ?? ''}`);
  const missing = fields.filter(({ name }) => wanted.includes(name) && values[name] === undefined);
  const code = (text: string) =>
    missing.reduce(
      (html, { name }) => html.replaceAll(blankOf(name), `<mark class="lesson-blank">${blankOf(name)}</mark>`),
      escapeHtml(text),
    );
  const calls = (command.curls ?? []).flatMap(words => callOf(words.map(text => filledIn(text, values))) ?? []);
  return {
    ...{ key: command.key, missing, isAddress: command.isAddress, canSend: calls.length > 0 },
    address:
      command.isAddress && missing.length === 0 && run && /^https?:\S+$/.test(forms.bash) ? forms.bash : undefined,
    forms: [
      { id: 'bash', name: 'bash', html: code(forms.bash) },
      ...(forms.powershell === undefined
        ? []
        : [{ id: 'powershell', name: 'PowerShell', html: code(forms.powershell) }]),
    ],
    answers: (run?.bench.answers(command.key) ?? []).map((answer, index) => ({
      request: calls[index] === undefined ? '' : `${calls[index].method} ${calls[index].url}`,
      ...answerView(answer, run?.issuer ?? ''),
    })),
  };
}

const shownHeaders = new Set([
  'content-type',
  'cache-control',
  'www-authenticate',
  'dpop-nonce',
  'location',
  'retry-after',
]);

function answerView(answer: BenchAnswer, issuer: string) {
  if ('failure' in answer) return answer;
  const { status, headers, body, requestId } = answer;
  return {
    badge: badgeOf({ status }, undefined),
    headers: headers.filter(([name]) => shownHeaders.has(name)).map(([name, value]) => `${name}: ${value}`),
    body: readable(body),
    href: requestId === '' ? undefined : `${issuer}/dashboard/requests/${requestId}`,
  };
}

function readable(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) || Array.isArray(value) ? JSON.stringify(value, undefined, 2) : body;
  } catch {
    return body;
  }
}

/** Sends the command of a text that the learner sees, with the values of the boxes. Nothing is sent while one is empty. */
export async function sendCommand(lesson: OpenLesson, run: LessonRun, opened: ReadonlySet<string>, key: string) {
  const texts = lesson.text.tasks.flatMap(task => shownTexts(lesson.id, task, { opened }));
  const parts = texts.flatMap(({ key: own, text, isExtra }) =>
    partsOf(text, own).map(part => ({ part, from: isExtra ? own : '' })),
  );
  const at = parts.findIndex(({ part }) => 'command' in part && part.command.key === key);
  const { part, from } = parts[at] ?? {};
  if (part === undefined || !('command' in part)) return;
  const values = { issuer: run.issuer, ...run.bench.values() };
  const curls = (part.command.curls ?? []).map(words => words.map(each => filledIn(each, values)));
  if (curls.flat().some(each => namesIn(each).length > 0)) return;
  const after = parts.slice(at + 1).filter(each => each.from === from);
  const calls = curls.flatMap(words => callOf(words) ?? []);
  await run.bench.send(key, calls, fieldsBefore(after.map(each => each.part)));
}

/** The boxes up to the next command that the page can send: they take their values from the answer. */
function fieldsBefore(parts: readonly TextPart[]): readonly Field[] {
  const end = parts.findIndex(part => 'command' in part && part.command.curls !== undefined);
  return parts.slice(0, end === -1 ? undefined : end).flatMap(part => ('field' in part ? [part.field] : []));
}
