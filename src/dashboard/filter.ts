import { nearestName } from '../oauth/nearest.ts';
import { tokenStatuses } from './token-status.ts';

const operators = ['type', 'user', 'client', 'scope', 'status', 'aud', 'kid', 'alg'] as const;
export type Operator = (typeof operators)[number];

/** One condition; all must hold. */
export interface Term {
  /** As typed, for links that keep it. */
  readonly text: string;
  readonly negated: boolean;
  /** `word` looks everywhere, `claim` at one claim. */
  readonly field: Operator | 'word' | 'claim';
  /** Of the claim: `realm.roles`. */
  readonly path: readonly string[];
  /** Lower case; empty asks only whether there is a value; a `*` at the end matches any ending. */
  readonly value: string;
}

export interface Filter {
  readonly terms: readonly Term[];
  /** What was not understood, a sentence each. */
  readonly problems: readonly string[];
}

const longestQuery = 4096;
const mostTerms = 20;
const valuesOf: Readonly<Record<string, readonly string[]>> = {
  type: ['access', 'id', 'refresh', 'code'],
  status: tokenStatuses,
};

/**
 * Reads `user:alice -status:expired claim.roles:admin "two words"`: `operator:value` or a free word, negated by a
 * leading `-` or `!`, quoted where it has spaces. What is not understood is left out and said so.
 */
export function parseFilter(query: string): Filter {
  const problems: string[] = [];
  const terms: Term[] = [];
  for (const text of pieces(query.slice(0, longestQuery)).slice(0, mostTerms)) {
    const term = parseTerm(text);
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

function parseTerm(text: string): Term | string | undefined {
  const negated = /^[-!]./.test(text);
  const body = negated ? text.slice(1) : text;
  const match = termForm.exec(body);
  const value = (match?.[2] ?? body).replaceAll('"', '').trim().toLowerCase();
  if (match?.[1] === undefined) return value === '' ? undefined : { text, negated, field: 'word', path: [], value };
  return operatorTerm({ text, negated, value }, match[1]);
}

function operatorTerm(base: Pick<Term, 'text' | 'negated' | 'value'>, name: string): Term | string {
  const [operator = '', ...path] = name.split('.');
  if (operator.toLowerCase() === 'claim' && path.length > 0) return { ...base, field: 'claim', path };
  const field = operators.find(known => known === name.toLowerCase());
  if (field === undefined) return unknownOperator(name);
  const values = valuesOf[field];
  if (values === undefined || base.value === '' || base.value.endsWith('*') || values.includes(base.value)) {
    return { ...base, field, path: [] };
  }
  return `No ${field} is called ${base.value}: it is one of ${values.join(', ')}.`;
}

function unknownOperator(name: string): string {
  const near = nearestName(name.toLowerCase(), [...operators, 'claim.<path>']);
  const hint = near === undefined ? `Known are ${operators.join(', ')} and claim.<path>.` : `Did you mean ${near}?`;
  return `Unknown operator ${name}: it was left out. ${hint}`;
}
