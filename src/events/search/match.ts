import type { Operator, Query, Term } from './query.ts';
import { holdsFor } from './query-time.ts';

/** What an operator reads of an item: a value, or several of which one must fit. Numbers know `>`, `>=`, `<` and `<=`. */
export interface Field<T> extends Operator {
  of(item: T, path: readonly string[]): unknown;
  /** Is looked at last, because reading it takes long. */
  readonly slow?: boolean | undefined;
  /** Its recorded values are suggested while somebody types. */
  readonly suggested?: boolean | undefined;
}

/** What can be searched in a list: one line for each operator, and where free words are looked for. */
export interface Searchable<T> {
  readonly fields: Readonly<Record<string, Field<T>>>;
  /** A word must be in one of these. */
  words(item: T): readonly (string | undefined)[];
  /** Or be one of these. */
  exact?(item: T): readonly string[];
  /** Unix seconds, for `before:`, `after:` and `age:`. */
  at(item: T): number;
}

/** Whether an item is what the query asks for; `now` in Unix seconds. */
export function createMatcher<T>({ terms }: Query, list: Searchable<T>, now: number): (item: T) => boolean {
  const cost = ({ field }: Term) => (list.fields[field]?.slow ? 1 : 0);
  const tests = terms
    .toSorted((a, b) => cost(a) - cost(b))
    .map(term => ({ negated: term.negated, holds: testOf(term, list, now) }));
  return item => tests.every(({ negated, holds }) => holds(item) !== negated);
}

function testOf<T>(term: Term, list: Searchable<T>, now: number): (item: T) => boolean {
  const { field, path, value, time } = term;
  if (time !== undefined) return item => holdsFor(time, list.at(item), now);
  if (field === 'word') return item => hasWord(item, value, list);
  const reader = list.fields[field];
  if (reader === undefined) return () => false;
  const fits = valueTest(value);
  return item => {
    const read = reader.of(item, path);
    return Array.isArray(read) ? read.some(fits) : fits(read);
  };
}

function hasWord<T>(item: T, word: string, { words, exact }: Searchable<T>): boolean {
  if (words(item).some(text => text?.toLowerCase().includes(word))) return true;
  return exact?.(item).some(text => text.toLowerCase() === word) ?? false;
}

/** Absent values fit nothing. */
function valueTest(wanted: string): (value: unknown) => boolean {
  const isThere = (value: unknown) => value !== undefined;
  if (wanted === '') return isThere;
  const bound = /^(>=|<=|>|<)(\d+(?:\.\d+)?)$/.exec(wanted);
  if (bound !== null) return value => typeof value === 'number' && compare(value, bound[1] ?? '', Number(bound[2]));
  const start = wanted.slice(0, -1);
  if (wanted.endsWith('*')) return value => isThere(value) && textOf(value).startsWith(start);
  return value => isThere(value) && textOf(value) === wanted;
}

function compare(value: number, sign: string, bound: number): boolean {
  if (sign === '>') return value > bound;
  if (sign === '<') return value < bound;
  return sign === '>=' ? value >= bound : value <= bound;
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
}
