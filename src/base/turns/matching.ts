import type { Pieces } from './in-turns.ts';

/** The first items, at most `most`, that pass a test; each item is a piece of work. */
export function* firstMatching<T>(
  items: Iterable<T>,
  matches: (item: T) => boolean,
  most = Number.POSITIVE_INFINITY,
): Pieces<T[]> {
  const found: T[] = [];
  for (const item of items) {
    if (found.length >= most) break;
    if (matches(item)) found.push(item);
    yield;
  }
  return found;
}
