import type { Pieces } from './in-turns.ts';

/** The results of `make` for each item, in order; each item is a piece of work. */
export function* flatMapInPieces<T, U>(items: Iterable<T>, make: (item: T) => readonly U[]): Pieces<U[]> {
  const made: U[] = [];
  for (const item of items) {
    made.push(...make(item));
    yield;
  }
  return made;
}

/** Items by their key, in order, without those whose key is undefined; each item is a piece of work. */
export function* groupInPieces<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | undefined,
): Pieces<ReadonlyMap<string, readonly T[]>> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(item);
    else if (key !== undefined) groups.set(key, [item]);
    yield;
  }
  return groups;
}
