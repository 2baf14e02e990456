import { describe, expect, it } from 'vitest';
import { atOnce, eachInTurns, inTurns, type Pieces, type Turns } from '../../src/base/turns.ts';

/** Each piece takes so many milliseconds of a clock that nothing else moves. */
function world(millisecondsEach = 1) {
  const perTurn: number[] = [];
  let now = 0;
  const turns: Turns = { giveWay: async () => void perTurn.push(0), now: () => now };
  function* work(pieces: number, onEnd = () => {}): Pieces<string> {
    try {
      for (let piece = 0; piece < pieces; piece++) {
        now += millisecondsEach;
        perTurn[perTurn.length - 1] = (perTurn.at(-1) ?? 0) + 1;
        yield;
      }
      return 'done';
    } finally {
      onEnd();
    }
  }
  return { turns, perTurn, work };
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('work in pieces', () => {
  it('takes ten milliseconds of a turn, however much there is', async () => {
    for (const pieces of [10, 1000]) {
      const { turns, perTurn, work } = world();
      expect(await inTurns(work(pieces), turns)).toBe('done');
      expect(Math.max(...perTurn)).toBe(10);
      expect(perTurn.reduce((sum, each) => sum + each)).toBe(pieces);
    }
  });

  it('does one piece a turn where each takes longer than that', async () => {
    const { turns, perTurn, work } = world(30);
    await inTurns(work(5), turns);
    expect(Math.max(...perTurn)).toBe(1);
  });

  it('lets others have their turn: of two works each goes on while the other waits', async () => {
    const order: string[] = [];
    function* named(name: string): Pieces<void> {
      for (let piece = 0; piece < 3; piece++) {
        order.push(name);
        yield;
      }
    }
    let now = 0;
    const turns = { giveWay: () => new Promise<void>(resolve => void setImmediate(resolve)), now: () => (now += 10) };
    await Promise.all([inTurns(named('a'), turns), inTurns(named('b'), turns)]);
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('ends at its next piece when it is told to, and cleans up', async () => {
    const { turns, perTurn, work } = world();
    const ending = new AbortController();
    const ended: string[] = [];
    const giveWay = async () => {
      if (perTurn.push(0) === 3) ending.abort(new Error('no time left'));
    };
    const running = inTurns(
      work(1000, () => void ended.push('cleaned up')),
      { ...turns, giveWay, signal: ending.signal },
    );
    await expect(running).rejects.toThrow('no time left');
    expect(perTurn).toEqual([10, 10, 0]);
    expect(ended).toEqual(['cleaned up']);
  });

  it('of items that are waited for takes ten milliseconds of a turn, too, and ends when it is told to', async () => {
    let now = 0;
    let inTurn = 0;
    const longest: number[] = [];
    const ending = new AbortController();
    const turns = {
      async giveWay() {
        longest.push(inTurn);
        inTurn = 0;
      },
      now: () => now,
      signal: ending.signal,
    };
    const work = async (item: number) => {
      now++;
      inTurn++;
      return 2 * item;
    };
    const items = Array.from({ length: 1000 }, (_, item) => item);
    expect(await allOf(eachInTurns(items, work, turns))).toEqual(items.map(item => 2 * item));
    expect(Math.max(...longest)).toBe(10);
    ending.abort(new Error('no time left'));
    await expect(allOf(eachInTurns(items, work, turns))).rejects.toThrow('no time left');
  });

  it('tells what the work throws', async () => {
    // biome-ignore lint/correctness/useYield: it ends before its first piece
    function* broken(): Pieces<void> {
      throw new Error('broken');
    }
    await expect(inTurns(broken())).rejects.toThrow('broken');
  });

  it('is done at once where nobody waits', () => {
    expect(atOnce(world().work(20))).toBe('done');
  });
});

describe('the turns of the process', () => {
  it('let a timer fire between two pieces', async () => {
    function* waits(): Pieces<number> {
      let pieces = 0;
      let fired = false;
      setTimeout(() => {
        fired = true;
      }, 0);
      while (!fired) {
        pieces++;
        yield;
      }
      return pieces;
    }
    expect(await inTurns(waits())).toBeGreaterThan(0);
  });
});
