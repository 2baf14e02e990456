import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { startEngine, type TestEngine } from './engine.ts';

let running: TestEngine;
beforeAll(async () => {
  running = await startEngine();
});
afterAll(() => running?.[Symbol.asyncDispose]());

const state = (url: string, body?: string) =>
  fetch(`${url}/_sandbox/state`, {
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'PUT', body }),
  });

const jwks = async (url: string) => (await (await fetch(`${url}/oauth2/jwks`)).json()) as object;

it('an exported state is imported by one replica, and known to the other', async () => {
  await using source = await createSandbox({ users: [{ sub: 'alice' }] });
  await source.users.create({ sub: 'made' });
  const shared = { storeUrl: running.url, issuer: 'http://localhost:9000' };
  await using one = await createSandbox({ ...shared });
  await using two = await createSandbox({ ...shared });
  const exported = await (await state(source.url)).text();
  expect((await state(one.url, exported)).status).toBe(200);
  expect(await jwks(two.url)).toEqual(await jwks(source.url));
  expect((await fetch(`${two.url}/_sandbox/users/made`)).status).toBe(200);
  const again = await (await state(two.url)).json();
  expect(again).toMatchObject({ grantbox_state: 1 });
});
