import express from 'express';
import { afterAll, expect, it, vi } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

/** Each app made from here on has this step: Express copies it, and the published types leave it out. */
const enterExpress = vi.spyOn(express.application as unknown as { handle: () => void }, 'handle');
const sandbox = await createSandbox({ signingAlg: 'ES256' });
afterAll(() => sandbox.stop());

async function ask(path: string): Promise<{ status: number; enteredExpress: number }> {
  enterExpress.mockClear();
  const { status } = await fetch(sandbox.url + path);
  return { status, enteredExpress: enterExpress.mock.calls.length };
}

it('the sample backend answers without Express, which its neighbours go through', async () => {
  expect(await ask('/api/products')).toEqual({ status: 401, enteredExpress: 0 });
  expect(await ask('/api?page=1')).toEqual({ status: 404, enteredExpress: 0 });
  expect(await ask('/apiary')).toEqual({ status: 404, enteredExpress: 1 });
  expect(await ask('/health')).toEqual({ status: 200, enteredExpress: 1 });
});
