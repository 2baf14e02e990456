import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inTime } from '../../../src/sandbox/config/clients-file.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('work that may never end', () => {
  it('is given up once its time is over', async () => {
    const refused = expect(inTime(new Promise(() => {}), 15)).rejects.toThrow(
      'did not finish loading within 15 seconds',
    );
    await vi.advanceTimersByTimeAsync(15_000);
    await refused;
  });

  it('returns the result, and leaves no timer', async () => {
    expect(await inTime(Promise.resolve('done'), 15)).toBe('done');
    await expect(inTime(Promise.reject(new Error('no')), 15)).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });
});
