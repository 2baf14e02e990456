import { secondsIn } from '../text/duration.ts';
import { nearestName } from '../text/nearest.ts';

/** The operators that compare the time of an item; every list has them. */
const timeOperators = ['before', 'after', 'age'] as const;

interface TimeTest {
  readonly must: 'be before' | 'not be before';
  /** Seconds before now, or Unix seconds, or seconds of today in UTC. */
  readonly point: { readonly ago: number } | { readonly unix: number } | { readonly today: number };
}

const hint = 'such as 5m, 2h, 09:30 or 2026-03-01T09:30 (UTC)';

/** Reads the value of a time operator, in lower case; gives a sentence where the value is not a time. */
function parseTime(operator: (typeof timeOperators)[number], value: string): TimeTest | string {
  if (operator === 'age') return parseAge(value);
  const point = parsePoint(value);
  if (point === undefined) return `\`${operator}:${value}\` needs a time, ${hint}.`;
  return { must: operator === 'before' ? 'be before' : 'not be before', point };
}

/** `age:<5m` is younger than five minutes, and so is `age:5m`; `age:>5m` is older. */
function parseAge(value: string): TimeTest | string {
  const sign = /^[<>]/.exec(value)?.[0] ?? '';
  const ago = secondsOf(value.slice(sign.length));
  if (ago === undefined) return `\`age:${value}\` needs a duration, such as <5m or >2h.`;
  return { must: sign === '>' ? 'be before' : 'not be before', point: { ago } };
}

function parsePoint(value: string): TimeTest['point'] | undefined {
  const ago = secondsOf(value);
  if (ago !== undefined) return { ago };
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(value);
  if (clock !== null) return { today: Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0) };
  const date = /^(\d{4}-\d{2}-\d{2})(?:t(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:\d{2})?)?$/.exec(value);
  if (date === null) return undefined;
  const [, day, time = '00:00', zone = 'z'] = date;
  const unix = Date.parse(`${day}T${time}${zone.toUpperCase()}`) / 1000;
  return Number.isNaN(unix) ? undefined : { unix };
}

/** Reads `5m`, `1h30m` or `90s`; a number without a unit is not a duration here, and a sign is not allowed. */
function secondsOf(duration: string): number | undefined {
  return /^\d.*[a-z]$/.test(duration) ? secondsIn(duration) : undefined;
}

/** Tells whether a time meets the condition; both times in Unix seconds. */
function holdsFor({ must, point }: TimeTest, at: number, now: number): boolean {
  return at < pointOf(point, now) === (must === 'be before');
}

function pointOf(point: TimeTest['point'], now: number): number {
  if ('ago' in point) return now - point.ago;
  if ('unix' in point) return point.unix;
  return Math.floor(now / 86_400) * 86_400 + point.today;
}

/** An operator of a list, as far as a query needs it to be read. */
interface Operator {
  /** The values that are allowed; absent where any value is. */
  readonly values?: readonly string[];
  /** Set where a path follows the name: `claim.realm.roles:chief`. */
  readonly path?: boolean;
}

/** By name, in the order in which help lists them. Every list also has `before:`, `after:` and `age:`. */
type Operators = Readonly<Record<string, Operator>>;

/** One condition; all must hold. */
interface Term {
  /** As typed, for links that keep it. */
  readonly text: string;
  readonly negated: boolean;
  /** An operator, or `word` for a free word. */
  readonly field: string;
  /** `['realm', 'roles']`; empty where the operator takes no path. */
  readonly path: readonly string[];
  /** In lower case. An empty value asks whether there is any; a `*` at the end matches any ending. */
  readonly value: string;
  /** Set for `before:`, `after:` and `age:`. */
  readonly time?: TimeTest;
}

/** A query that was read, with its problems. */
export interface Query {
  readonly terms: readonly Term[];
  /** A sentence for each term that was not understood; with any, the query matches nothing. */
  readonly problems: readonly string[];
}

const longestQuery = 4096;
const mostTerms = 20;

/**
 * Reads `user:alice -status:expired claim.roles:admin age:<5m "two words"`: `operator:value` or a free word, negated by a
 * leading `-` or `!`, quoted where it has spaces. A term that is not understood becomes a problem.
 */
export function parseQuery(query: string, operators: Operators): Query {
  const problems: string[] = [];
  const terms: Term[] = [];
  const pieces: readonly string[] = query.slice(0, longestQuery).match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
  for (const text of pieces.slice(0, mostTerms)) {
    const term = parseTerm(text, operators);
    if (typeof term === 'string') problems.push(term);
    else if (term !== undefined) terms.push(term);
  }
  return { terms, problems };
}

// `http://…` is a word, and a claim may have an address as its name.
const termForm = /^([a-z_]+(?:\.(?:[^:"\s]|:\/\/)+)?):(?!\/\/)(.*)$/i;

function parseTerm(text: string, operators: Operators): Term | string | undefined {
  const negated = /^[-!]./.test(text);
  const body = negated ? text.slice(1) : text;
  const match = termForm.exec(body);
  const value = (match?.[2] ?? body).replaceAll('"', '').trim().toLowerCase();
  if (match?.[1] === undefined) return value === '' ? undefined : { text, negated, field: 'word', path: [], value };
  return operatorTerm({ text, negated, value }, match[1], operators);
}

function operatorTerm(base: Pick<Term, 'text' | 'negated' | 'value'>, name: string, operators: Operators) {
  const [first = '', ...path] = name.split('.');
  const field = (path.length > 0 ? first : name).toLowerCase();
  const time = timeOperators.find(each => each === field);
  if (time !== undefined) return timeTerm(base, time);
  const operator = Object.hasOwn(operators, field) ? operators[field] : undefined;
  if (operator === undefined || path.length > 0 !== (operator.path ?? false)) return unknownOperator(name, operators);
  const { values } = operator;
  if (values === undefined || base.value === '' || base.value.endsWith('*') || values.includes(base.value)) {
    return { ...base, field, path };
  }
  return `Unknown value \`${base.value}\` of \`${field}:\`. Known: ${values.join(', ')}.`;
}

function timeTerm(base: Pick<Term, 'text' | 'negated' | 'value'>, field: (typeof timeOperators)[number]) {
  const time = parseTime(field, base.value);
  return typeof time === 'string' ? time : { ...base, field, path: [], time };
}

function unknownOperator(name: string, operators: Operators): string {
  const known = [
    ...Object.entries(operators).map(([each, { path }]) => (path ? `${each}.<path>` : each)),
    ...timeOperators,
  ];
  const near = nearestName(name.toLowerCase(), known);
  const hint = near === undefined ? '' : ` Did you mean \`${near}:\`?`;
  return `Unknown operator \`${name}:\`.${hint} Known: ${known.join(', ')}.`;
}

/** Texts from the wire. A text must be found in both forms: `recorded` is read first, because redaction takes long. */
export interface Contents {
  readonly recorded: readonly string[];
  withoutSecrets(): readonly string[];
}

/** Reads the value of an item, or several of which one must fit. Numbers know `>`, `>=`, `<` and `<=`. */
interface Field<T> extends Operator {
  of?(item: T, path: readonly string[]): unknown;
  /** In place of `of`: texts in which the value must be found. */
  within?(item: T, path: readonly string[]): Contents | undefined;
  /** Set where reading takes long: the operator is tested after the others. */
  readonly slow?: boolean;
  /** Set where recorded values are suggested while a user types. */
  readonly suggested?: boolean;
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
