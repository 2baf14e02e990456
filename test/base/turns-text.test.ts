import { expect, it } from 'vitest';
import { type TextPieces, textInTurns } from '../../src/base/turns.ts';

/** A text of so many pieces of 1000 letters, each of which takes a millisecond of a clock that nothing else moves. */
function world(pieces: number) {
  const perTurn: number[] = [];
  let now = 0;
  let isEnded = false;
  const turns = { giveWay: async () => void perTurn.push(0), now: () => now };
  function* text(): TextPieces {
    try {
      for (let piece = 0; piece < pieces; piece++) {
        now++;
        perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1;
        yield 'x'.repeat(1000);
      }
    } finally {
      isEnded = true;
    }
  }
  return { chunks: textInTurns(text(), turns), perTurn, made: () => now, isEnded: () => isEnded };
}

it.each([100, 10_000])('makes ten of %i pieces in one turn of the event loop', async pieces => {
  const { chunks, perTurn } = world(pieces);
  let length = 0;
  for await (const chunk of chunks) length += chunk.length;
  expect(length).toBe(1000 * pieces);
  expect(Math.max(...perTurn)).toBe(10);
});

it('makes no more than was asked for, and cleans up when nobody asks for more', async () => {
  const { chunks, made, isEnded } = world(10_000);
  await chunks.next();
  expect(made()).toBe(66);
  expect(isEnded()).toBe(false);
  await chunks.return();
  expect([made(), isEnded()]).toEqual([66, true]);
});
