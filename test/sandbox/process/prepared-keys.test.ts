import { expect, it, vi } from 'vitest';
import type { Issuer } from '../../../src/sandbox/extension.ts';
import { prepareKeys } from '../../../src/sandbox/process/prepared-keys.ts';
import { createTestServer } from '../../support/server.ts';

it('prepares no key before one that was left to another replica, so that the order stays', async () => {
  vi.useFakeTimers();
  const { server } = createTestServer();
  const asked: string[] = [];
  const keys = {
    revision: () => String(asked.length),
    prepare: async (alg: string) => {
      asked.push(alg);
      return asked.length > 2; // twice another replica is at it
    },
  };
  const issuer = { server: { ...server, keys } } as unknown as Pick<Issuer, 'server'>;
  const error = (thrown: unknown) => {
    throw thrown;
  };
  const turns = { alone: async () => {}, inTurn: async <T>(work: () => Promise<T>) => work() };
  prepareKeys([issuer], turns, { error });
  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(1000);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(4));
  const [first] = asked;
  expect(asked.slice(0, 3)).toEqual([first, first, first]);
  vi.useRealTimers();
});
