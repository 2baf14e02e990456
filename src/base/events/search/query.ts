import { nearestName } from '../../text/nearest.ts';
import { parseTime, type TimeTest, timeOperators } from './query-time.ts';

/** An operator of a list, as far as a query needs it to be read. */
export interface Operator {
  /** The values that are allowed; absent where any value is. */
  readonly values?: readonly string[] | undefined;
  /** Set where a path follows the name: `claim.realm.roles:chief`. */
  readonly path?: boolean | undefined;
}

/** By name, in the order in which help lists them. Every list also has `before:`, `after:` and `age:`. */
type Operators = Readonly<Record<string, Operator>>;

/** One condition; all must hold. */
export interface Term {
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
  for (const text of pieces(query.slice(0, longestQuery)).slice(0, mostTerms)) {
    const term = parseTerm(text, operators);
    if (typeof term === 'string') problems.push(term);
    else if (term !== undefined) terms.push(term);
  }
  return { terms, problems };
}

/** Splits at spaces outside of quotes. */
function pieces(query: string): string[] {
  return query.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
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
  if (isTimeOperator(field)) return timeTerm(base, field);
  const operator = Object.hasOwn(operators, field) ? operators[field] : undefined;
  if (operator === undefined || path.length > 0 !== (operator.path ?? false)) return unknownOperator(name, operators);
  const { values } = operator;
  if (values === undefined || base.value === '' || base.value.endsWith('*') || values.includes(base.value)) {
    return { ...base, field, path };
  }
  return `Unknown value \`${base.value}\` of \`${field}:\`. Known: ${values.join(', ')}.`;
}

function isTimeOperator(name: string): name is (typeof timeOperators)[number] {
  return timeOperators.some(each => each === name);
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
