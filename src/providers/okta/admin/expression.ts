import { refusedBy } from './org.ts';

/** A value that an expression compares: a member of a user or group. */
type Read<T> = (entry: T, path: string) => unknown;

const token = /\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+))/y;
/** Longer than anything that a person or an SDK writes. */
const longest = 2000;
const deepest = 20;

type Test<T> = (entry: T) => boolean;

/** The tests of the expressions `search` and `filter` of a query. */
export function testsIn<T>(query: URLSearchParams, read: Read<T>): readonly Test<T>[] {
  const sent = [query.get('search'), query.get('filter')].map(text => text ?? '');
  return sent.filter(text => text.trim() !== '').map(text => testOf(text, read));
}

/**
 * The test of an expression (SCIM, RFC 7644 §3.4.2.2): `eq`, `ne`, `sw`, `co`, `ew`, `gt`, `ge`, `lt`, `le`
 * and `pr`, joined by `and`, `or` and parentheses. Comparison ignores case, and a list fits where one of its items does.
 * @throws E0000031
 */
function testOf<T>(expression: string, read: Read<T>): Test<T> {
  const words = wordsOf(expression);
  let at = 0;
  const peek = () => words[at];
  const take = () => words[at++];
  const isWord = (word: string) => peek()?.kind === 'word' && peek()?.text.toLowerCase() === word;

  function either(depth: number): Test<T> {
    const tests = [both(depth)];
    while (isWord('or')) {
      at++;
      tests.push(both(depth));
    }
    return tests.length === 1 ? (tests[0] as Test<T>) : entry => tests.some(test => test(entry));
  }
  function both(depth: number): Test<T> {
    const tests = [one(depth)];
    while (isWord('and')) {
      at++;
      tests.push(one(depth));
    }
    return entry => tests.every(test => test(entry));
  }
  function one(depth: number): Test<T> {
    const first = take();
    if (first?.kind === 'open' && depth < deepest) {
      const inner = either(depth + 1);
      if (take()?.kind !== 'close') throw invalid();
      return inner;
    }
    const operator = take();
    if (first?.kind !== 'word' || operator?.kind !== 'word') throw invalid();
    if (operator.text.toLowerCase() === 'pr') return entry => isPresent(read(entry, first.text));
    const compare = comparisons[operator.text.toLowerCase()];
    const value = take();
    if (compare === undefined || value === undefined || value.kind === 'open' || value.kind === 'close')
      throw invalid();
    const wanted = value.text.toLowerCase();
    return entry => compare(textsOf(read(entry, first.text)), wanted);
  }

  const test = either(0);
  if (at !== words.length) throw invalid();
  return test;
}

interface Word {
  readonly kind: 'open' | 'close' | 'text' | 'word';
  readonly text: string;
}

function wordsOf(expression: string): readonly Word[] {
  if (expression.length > longest) throw invalid();
  const words: Word[] = [];
  const end = expression.trimEnd().length;
  token.lastIndex = 0;
  while (token.lastIndex < end) {
    const found = token.exec(expression);
    if (found === null) throw invalid();
    const [, open, close, quoted, word = ''] = found;
    if (open !== undefined) words.push({ kind: 'open', text: open });
    else if (close !== undefined) words.push({ kind: 'close', text: close });
    else if (quoted !== undefined) words.push({ kind: 'text', text: quoted.replaceAll(/\\(.)/g, '$1') });
    else words.push({ kind: 'word', text: word });
  }
  return words;
}

const any = (fits: (own: string, wanted: string) => boolean) => (own: readonly string[], wanted: string) =>
  own.some(each => fits(each, wanted));

const comparisons: Readonly<Record<string, (own: readonly string[], wanted: string) => boolean>> = {
  eq: any((own, wanted) => own === wanted),
  ne: (own, wanted) => own.every(each => each !== wanted),
  sw: any((own, wanted) => own.startsWith(wanted)),
  co: any((own, wanted) => own.includes(wanted)),
  ew: any((own, wanted) => own.endsWith(wanted)),
  gt: any((own, wanted) => own > wanted),
  ge: any((own, wanted) => own >= wanted),
  lt: any((own, wanted) => own < wanted),
  le: any((own, wanted) => own <= wanted),
};

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return [value].flat().map(each => (typeof each === 'string' ? each : JSON.stringify(each)).toLowerCase());
}

function invalid() {
  return refusedBy('E0000031', 400, 'Invalid search criteria.');
}
