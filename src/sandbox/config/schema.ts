import * as v from 'valibot';
import { secondsIn } from '../../base/text/duration.ts';
import { nearestName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import { listing } from '../../base/text/words.ts';
import { checkedBy, cutFinding } from './large-value.ts';
import { moreUnknown, mostNames } from './many-problems.ts';
import type { Finding } from './problem.ts';

// A valibot message is text. Ours holds the expected value and, after a tab, the most similar known name.
export function message(expected: string, nearest?: string): string {
  return nearest === undefined ? expected : `${expected}\t${nearest}`;
}

const required = 'a value, because it is required';
export const text = v.pipe(v.string('text'), v.minLength(1, 'text that is not empty'));
export const flag = v.boolean('true or false');

/** One of the names. The message for a similar name suggests the known one. */
export function oneOf<const T extends readonly string[]>(values: T) {
  const expected = listing(values, 'or');
  return v.picklist(values, issue =>
    message(expected, typeof issue.input === 'string' ? nearestName(issue.input, values) : undefined),
  );
}

/** A duration of whole seconds within bounds; the output is in seconds. */
export function wholeSeconds(least: number, most: number, bounds = `from ${least} to ${most}`) {
  const expected = `whole seconds, ${bounds}, such as 90, 90s, 5m, 8h or 1d`;
  return v.pipe(
    v.union([v.number(), v.string()], expected),
    v.check(said => isWholeWithin(secondsIn(said), least, most), expected),
    v.transform(said => secondsIn(said) ?? least),
  );
}

function isWholeWithin(seconds: number | undefined, least: number, most: number): boolean {
  return seconds !== undefined && Number.isInteger(seconds) && seconds >= least && seconds <= most;
}

/** A list of values; `of` completes "a list of …". */
export function list<const T extends v.GenericSchema>(item: T, of: string) {
  return v.array(item, `a list of ${of}`);
}

/**
 * An object with only these members. Every unknown member is reported, with the most similar known name or with the
 * hint of `elsewhere`.
 */
export function entry<const T extends v.ObjectEntries>(entries: T, elsewhere: Readonly<Record<string, string>> = {}) {
  const known = Object.keys(entries);
  return v.pipe(
    v.looseObject(entries, required),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!isRecord(dataset.value)) return;
      const unknown = Object.keys(dataset.value).filter(each => !Object.hasOwn(entries, each));
      for (const key of unknown.slice(0, mostNames)) {
        const nearest = elsewhere[key] ?? nearestName(key, known);
        addIssue({
          message: message('a known name', nearest),
          path: [{ type: 'object', origin: 'key', input: dataset.value, key, value: undefined }],
        });
      }
      if (unknown.length > mostNames) addIssue({ message: moreUnknown(unknown.length - mostNames) });
    }),
  );
}

/** A JSON object whose nested values are all JSON. */
export const jsonObject = v.pipe(
  v.custom<Record<string, unknown>>(isRecord, 'an object'),
  v.check(value => isJsonDownTo(20, value), 'only JSON values: no functions, dates or circular references'),
);

function isJsonDownTo(depth: number, value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every(each => isJsonDownTo(depth - 1, each));
  return isRecord(value) && Object.values(value).every(each => isJsonDownTo(depth - 1, each));
}

/** The members of an entry that have the right shape, and the problems of the others. */
export interface Draft<T> {
  readonly members: Partial<T>;
  /** Names of members that are missing or have the wrong shape. Rules that read them are skipped. */
  readonly invalid: ReadonlySet<string>;
  readonly findings: Finding[];
}

/** Checks the shape. Rules still run on the valid members, so that all problems show at once. */
export function readDraft<T extends v.GenericSchema<unknown, object>>(
  schema: T,
  raw: unknown,
): Draft<v.InferOutput<T>> {
  if (!isRecord(raw))
    return { members: {}, invalid: new Set(), findings: [{ path: [], value: raw, expected: 'an object' }] };
  // a member given as undefined counts as left out
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
  const { issues, output, isCut } = checkedBy(schema, given);
  const findings = [...issues.map(toFinding), ...(isCut ? [cutFinding] : [])];
  const invalid = new Set(findings.map(({ path }) => String(path[0])));
  const members = Object.entries(isRecord(output) ? output : {}).filter(([name]) => !invalid.has(name));
  // each remaining member has passed its schema
  return { members: Object.fromEntries(members) as Partial<v.InferOutput<T>>, invalid, findings };
}

/** A field of an entry. Its type alone is short for the field. */
export function readField<T extends v.GenericSchema<unknown, object>>(schema: T, name: string, written: unknown) {
  const path = ['fields', name];
  const isShort = typeof written === 'string';
  const { members, findings } = readDraft(schema, isShort ? { type: written } : written);
  return { members, findings: findings.map(found => ({ ...found, path: isShort ? path : [...path, ...found.path] })) };
}

function toFinding(issue: v.BaseIssue<unknown>): Finding {
  const [expected = '', nearest] = issue.message.split('\t');
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return {
    path,
    value: issue.input === undefined || expected === 'a known name' ? undefined : issue.input,
    expected,
    nearest,
  };
}

/** A condition between members. It is checked only if the members it reads are valid. */
export interface Rule<T> {
  readonly reads: readonly (keyof T & string)[];
  check(members: Partial<T>): readonly Finding[];
}

/** Findings of the rules, in addition to those of the shape check. */
export function applyRules<T>({ members, invalid, findings }: Draft<T>, rules: readonly Rule<T>[]): Finding[] {
  if (findings.some(({ path }) => path.length === 0)) return [];
  return rules.filter(rule => !rule.reads.some(name => invalid.has(name))).flatMap(rule => rule.check(members));
}
