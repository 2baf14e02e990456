import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCallCounts, mostAddresses } from '../../../src/server/http/rate-limit.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

describe('the counts of calls', () => {
  it('count by address, until the window ends', async () => {
    const counts = createCallCounts(60_000);
    const hits = async (key: string) => (await counts.increment(key)).totalHits;
    expect([await hits('a'), await hits('a'), await hits('b')]).toEqual([1, 2, 1]);
    expect(await counts.increment('a')).toEqual({ totalHits: 3, resetTime: new Date(1_060_000) });
    vi.advanceTimersByTime(59_999);
    expect(await hits('a')).toBe(4);
    vi.advanceTimersByTime(1);
    expect(await hits('a')).toBe(1);
  });

  it('begin anew at the end of the window although the system clock was set back', async () => {
    const counts = createCallCounts(60_000);
    await counts.increment('a');
    vi.setSystemTime(0);
    vi.advanceTimersByTime(59_999);
    expect(await counts.increment('a')).toEqual({ totalHits: 2, resetTime: new Date(60_000) });
    vi.advanceTimersByTime(1);
    expect(await counts.increment('a')).toEqual({ totalHits: 1, resetTime: new Date(120_000) });
  });

  it('can be taken back', async () => {
    const counts = createCallCounts(60_000);
    for (const key of ['a', 'a', 'b']) await counts.increment(key);
    await counts.decrement('a');
    await counts.resetKey('b');
    expect((await counts.increment('a')).totalHits).toBe(2);
    expect((await counts.increment('b')).totalHits).toBe(1);
  });

  it('forget the oldest address where there are too many in one window', async () => {
    const counts = createCallCounts(60_000);
    const hits = async (key: string) => (await counts.increment(key)).totalHits;
    for (const key of ['first', 'second', 'first']) await hits(key);
    for (let address = 2; address <= mostAddresses; address++) await hits(`${address}`);
    expect(await hits('second')).toBe(2);
    expect(await hits('first')).toBe(1);
  });

  it('leave no timer behind', () => {
    createCallCounts(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
