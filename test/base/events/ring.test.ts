import { describe, expect, it } from 'vitest';
import { createRing } from '../../../src/base/events/event-memory.ts';

function ringOf(capacity: number, items: readonly number[]) {
  const ring = createRing<number>(capacity);
  const gone = items.map(item => ring.push(item));
  return { ring, gone, newest: [...ring.newestFirst()] };
}

describe('a ring', () => {
  it.each([
    ['empty', 3, [], []],
    ['partly filled', 3, [1, 2], [2, 1]],
    ['full', 3, [1, 2, 3], [3, 2, 1]],
    ['once around', 3, [1, 2, 3, 4], [4, 3, 2]],
    ['often around', 3, [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6]],
    ['of one', 1, [1, 2, 3], [3]],
  ])('is newest first: %s', (_what, capacity, items, expected) => {
    const { newest, ring } = ringOf(capacity, items);
    expect(newest).toEqual(expected);
    expect(ring.size).toBe(expected.length);
  });

  it('returns the dropped entries', () => {
    expect(ringOf(2, [1, 2, 3, 4]).gone).toEqual([undefined, undefined, 1, 2]);
  });
});
