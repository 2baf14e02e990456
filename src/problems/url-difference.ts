import { areAlike, marked, markedAgainst, pieces, plain } from './pieces.ts';
import type { Piece } from './problem.ts';

/** The parts two addresses are compared by, as they are written: nothing is normalised, because nothing is when they are checked. */
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

export interface UrlDifference {
  readonly sent: readonly Piece[];
  readonly expected: readonly Piece[];
  /** Empty for addresses that are the same, and for what are none. */
  readonly parts: readonly UrlPart[];
}

type Written = Readonly<Record<'scheme' | 'user name' | 'host' | 'port' | 'path' | 'query' | 'fragment', string>>;
const order = ['scheme', 'user name', 'host', 'port', 'path', 'query', 'fragment'] as const;

/** What differs between two addresses, part by part, with the parts marked. */
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
  return part === 'path' || part === 'query' ? markedAgainst(text, other[part]) : marked(text);
}

function nameOf(part: (typeof order)[number], a: string, b: string): UrlPart {
  if (part !== 'query' && a.toLowerCase() === b.toLowerCase()) return 'case';
  return part === 'path' && withoutSlash(a) === withoutSlash(b) ? 'slash at the end' : part;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
