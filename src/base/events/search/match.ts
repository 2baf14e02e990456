import type { Operator, Query, Term } from './query.ts';
import { holdsFor } from './query-time.ts';

/** Texts from the wire. A text must be found in both forms: `recorded` is read first, because redaction takes long. */
export interface Contents {
  readonly recorded: readonly string[];
  withoutSecrets(): readonly string[];
}

/** Reads the value of an item, or several of which one must fit. Numbers know `>`, `>=`, `<` and `<=`. */
export interface Field<T> extends Operator {
  of?(item: T, path: readonly string[]): unknown;
  /** In place of `of`: texts in which the value must be found. */
  within?(item: T, path: readonly string[]): Contents | undefined;
  /** Set where reading takes long: the operator is tested after the others. */
  readonly slow?: boolean | undefined;
  /** Set where recorded values are suggested while a user types. */
  readonly suggested?: boolean | undefined;
}

/** The operators of a list, and the texts in which free words are looked for. */
export interface Searchable<T> {
  readonly fields: Readonly<Record<string, Field<T>>>;
  /** A word must be in one of these texts, */
  words(item: T): readonly (string | undefined)[];
  /** or be equal to one of these, */
  exact?(item: T): readonly string[];
  /** or be in these. */
  contents?(item: T): Contents;
  /** Unix seconds, for `before:`, `after:` and `age:`. */
  at(item: T): number;
}

/** Tells whether an item matches the query; nothing matches a query that was not understood. `now` in Unix seconds. */
export function createMatcher<T>({ terms, problems }: Query, list: Searchable<T>, now: number): (item: T) => boolean {
  if (problems.length > 0) return () => false;
  const cost = ({ field }: Term) => (field === 'word' ? 2 : list.fields[field]?.slow ? 1 : 0);
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
  if (reader.within !== undefined) return item => isWithin(reader.within?.(item, path), value);
  const fits = valueTest(value);
  return item => {
    const read = reader.of?.(item, path);
    return Array.isArray(read) ? read.some(fits) : fits(read);
  };
}

function hasWord<T>(item: T, word: string, { words, exact, contents }: Searchable<T>): boolean {
  if (words(item).some(text => text?.toLowerCase().includes(word))) return true;
  if (exact?.(item).some(text => text.toLowerCase() === word)) return true;
  return isWithin(contents?.(item), word);
}

function isWithin(contents: Contents | undefined, value: string): boolean {
  if (contents === undefined) return false;
  const wanted = value.endsWith('*') ? value.slice(0, -1) : value;
  const isIn = (text: string) => text.toLowerCase().includes(wanted);
  return contents.recorded.some(isIn) && (wanted === '' || contents.withoutSecrets().some(isIn));
}

/** An absent value fits nothing. */
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
