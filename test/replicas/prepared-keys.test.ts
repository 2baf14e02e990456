import { afterAll, beforeAll, expect, it } from 'vitest';
import { allKeys, offeredAlgs } from '../support/all-keys.ts';
import { connectSandbox } from './connect.ts';
import { startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

it('replicas publish one key for each algorithm, in the same order', async () => {
  await using deployment = await startReplicas({ store: engine.url });
  const keys = await Promise.all(deployment.replicas.map(({ url }) => allKeys(url)));
  expect(new Set(keys).size).toBe(1);
  const offered = await offeredAlgs(deployment.url);
  const { events } = await connectSandbox(deployment.url);
  const made = await events.list({ type: 'key.created' });
  expect(made.map(({ alg }) => alg).toSorted()).toEqual(offered.toSorted());
});

it('an outage of the engine while keys are prepared only delays them', async () => {
  await using own = await startEngine('--appendonly', 'yes');
  await using deployment = await startReplicas({ store: own.url, count: 2 });
  await own.kill();
  const statuses = () =>
    Promise.all(deployment.replicas.map(async ({ url }) => (await fetch(`${url}/oauth2/jwks`)).status));
  await expect.poll(statuses).toEqual([503, 503]);
  await own.start();
  await expect.poll(statuses).toEqual([200, 200]);
  const keys = await Promise.all(deployment.replicas.map(({ url }) => allKeys(url)));
  expect(new Set(keys).size).toBe(1);
});
