import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beforeDeadline } from '../../../src/sandbox/process/stopping.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('ends endless work at the deadline, after one warning', async () => {
  const told: string[] = [];
  let isOver = false;
  const work = beforeDeadline(8, signal => {
    signal.addEventListener('abort', () => told.push(String(signal.reason)));
    return new Promise(() => {});
  }).then(() => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(7999);
  expect([told, isOver]).toEqual([[], false]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['Error: 8 seconds have passed']);
  await vi.advanceTimersByTimeAsync(1000);
  await work;
  expect(isOver).toBe(true);
});

it('waits for what is done by then, tells it nothing, and leaves no timer', async () => {
  let signal: AbortSignal | undefined;
  const work = beforeDeadline(8, async given => {
    signal = given;
    await new Promise(resolve => setTimeout(resolve, 3000));
  });
  await vi.advanceTimersByTimeAsync(3000);
  await work;
  expect(vi.getTimerCount()).toBe(0);
  expect(signal?.aborted).toBe(false);
});

it('rethrows the error of the work', async () => {
  await expect(beforeDeadline(8, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(vi.getTimerCount()).toBe(0);
});
