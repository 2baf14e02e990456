import type { Piece } from './problem.ts';

export function plain(text: string): readonly Piece[] {
  return [{ text, differs: false }];
}

/** Makes the pieces of a value that differs as a whole. */
export function marked(text: string): readonly Piece[] {
  return [{ text, differs: true }];
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Marks the characters of a value between the start and the end that both values share. */
export function markedAgainst(value: string, other: string): readonly Piece[] {
  const { start, end } = commonEnds(value, other);
  return pieces(
    [value.slice(0, start), false],
    [value.slice(start, value.length - end), true],
    [value.slice(value.length - end), false],
  );
}

/** Makes pieces and drops the empty ones. */
export function pieces(...all: readonly (readonly [text: string, differs: boolean])[]): readonly Piece[] {
  return all.flatMap(([text, differs]) => (text === '' ? [] : [{ text, differs }]));
}

/** Tells whether two values are so similar that marks help. Descriptions of values are not compared letter by letter. */
export function areAlike(a: string, b: string): boolean {
  if (!/\s/.test(a) && !/\s/.test(b)) return true;
  const { start, end } = commonEnds(a, b);
  return start + end >= 0.5 * Math.max(a.length, b.length);
}

/** Counts the characters that both values share at the start and at the end, without cutting a surrogate pair. */
function commonEnds(a: string, b: string): { readonly start: number; readonly end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  if (isHalf(a, start)) start--;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  if (isHalf(a, a.length - end)) end--;
  return { start, end };
}

function isHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}

/** The compared parts of two addresses. Nothing is normalised, because the server compares addresses as they are written. */
export type UrlPart =
  | 'scheme'
  | 'user name'
  | 'host'
  | 'port'
  | 'path'
  | 'slash at the end'
  | 'case'
  | 'query'
  | 'fragment';

interface UrlDifference {
  readonly sent: readonly Piece[];
  readonly expected: readonly Piece[];
  /** Empty for equal addresses, and for values that are not addresses. */
  readonly parts: readonly UrlPart[];
}

type Written = Readonly<Record<'scheme' | 'user name' | 'host' | 'port' | 'path' | 'query' | 'fragment', string>>;
const order = ['scheme', 'user name', 'host', 'port', 'path', 'query', 'fragment'] as const;

/** Compares two addresses part by part and marks the differences. */
export function urlDifference(sent: string, expected: string): UrlDifference {
  const a = written(sent);
  const b = written(expected);
  if (a === undefined || b === undefined) return { ...bare(sent, expected), parts: [] };
  return {
    sent: order.flatMap(part => piecesOf(part, a, b)),
    expected: order.flatMap(part => piecesOf(part, b, a)),
    parts: order.flatMap(part => (a[part] === b[part] ? [] : [nameOf(part, a[part], b[part])])),
  };
}

function bare(sent: string, expected: string) {
  return areAlike(sent, expected)
    ? { sent: markedAgainst(sent, expected), expected: markedAgainst(expected, sent) }
    : { sent: plain(sent), expected: plain(expected) };
}

/** RFC 3986 appendix B, with the authority taken apart. */
const form = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)([^/?#@]*@)?(\[[^\]/?#]*\]|[^/?#:]*)(:\d*)?([^?#]*)(\?[^#]*)?(#.*)?$/is;

function written(url: string): Written | undefined {
  const match = form.exec(url);
  if (match === null) return undefined;
  const [, scheme = '', user = '', host = '', port = '', path = '', query = '', fragment = ''] = match;
  return { scheme, 'user name': user, host, port, path, query, fragment };
}

function piecesOf(part: (typeof order)[number], own: Written, other: Written): readonly Piece[] {
  const text = own[part];
  if (text === other[part]) return pieces([text, false]);
  if (text === '') return [];
  if (part === 'path') return markedSegments(text, other.path);
  return part === 'query' ? markedAgainst(text, other.query) : marked(text);
}

/** Marks whole segments of a path: `/[callbak]` against `/[callback]`, and not the letter between the two. */
function markedSegments(path: string, other: string): readonly Piece[] {
  const [own, others] = [segments(path), segments(other)];
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && own[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && own.at(-1 - end) === others.at(-1 - end)) end++;
  const text = (from: readonly string[], to: number, until: number) => from.slice(to, until).join('');
  const differing = text(own, start, own.length - end);
  // a slash at the front of both is not what differs
  const shared = differing.length > 1 && differing.startsWith('/') && start < others.length - end ? '/' : '';
  return pieces(
    [text(own, 0, start) + shared, false],
    [differing.slice(shared.length), true],
    [text(own, own.length - end, own.length), false],
  );
}

/** The segments of a path, each with the slash before it. */
function segments(path: string): readonly string[] {
  return path === '' ? [] : path.split(/(?=\/)/);
}

function nameOf(part: (typeof order)[number], a: string, b: string): UrlPart {
  if (part !== 'query' && a.toLowerCase() === b.toLowerCase()) return 'case';
  return part === 'path' && withoutSlash(a) === withoutSlash(b) ? 'slash at the end' : part;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
