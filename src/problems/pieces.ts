import type { Piece } from './problem.ts';

/** A value without a mark. */
export function plain(text: string): readonly Piece[] {
  return [{ text, differs: false }];
}

/** A value that differs as a whole. */
export function marked(text: string): readonly Piece[] {
  return [{ text, differs: true }];
}

/** The text of a value. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** A value with the characters marked that the other has not: what is left between a common start and a common end. */
export function markedAgainst(value: string, other: string): readonly Piece[] {
  const { start, end } = commonEnds(value, other);
  return pieces(
    [value.slice(0, start), false],
    [value.slice(start, value.length - end), true],
    [value.slice(value.length - end), false],
  );
}

/** Pieces without the empty ones. */
export function pieces(...all: readonly (readonly [text: string, differs: boolean])[]): readonly Piece[] {
  return all.flatMap(([text, differs]) => (text === '' ? [] : [{ text, differs }]));
}

/** Whether two values have so much in common that marks help: words about a value are not compared letter by letter. */
export function areAlike(a: string, b: string): boolean {
  if (!/\s/.test(a) && !/\s/.test(b)) return true;
  const { start, end } = commonEnds(a, b);
  return start + end >= 0.5 * Math.max(a.length, b.length);
}

/** Never through the middle of a character. */
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

/** Whether the second half of a surrogate pair is at this place. */
function isHalf(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}
