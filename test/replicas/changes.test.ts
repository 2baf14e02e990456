import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { post } from '../support/wire.ts';
import { startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine;
let sandboxes: readonly [Sandbox, Sandbox];
beforeAll(async () => {
  engine = await startEngine();
  const shared = { storeUrl: engine.url, issuer: 'http://localhost:9999' };
  sandboxes = [await createSandbox(shared), await createSandbox(shared)];
});
afterAll(async () => {
  for (const each of sandboxes ?? []) await each.stop();
  await engine?.[Symbol.asyncDispose]();
});

const asJson = { 'content-type': 'application/json' };

/** Each creates a user and answers with the status. */
const ways = {
  'the control API': {
    create: async (url: string, sub: string) =>
      (await post(`${url}/_sandbox/users`, JSON.stringify({ sub }), asJson)).status,
    answers: [201, 409],
  },
  'the form of the dashboard': {
    create: async (url: string, sub: string) => (await post(`${url}/dashboard/users`, { sub }, { origin: url })).status,
    answers: [303, 400],
  },
};

describe.each(Object.entries(ways))('%s at two replicas', (way, { create, answers }) => {
  it('creates a user once when both are asked at once', async () => {
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all(sandboxes.map(({ url }) => create(url, `${way} ${round}`)));
      expect(both.toSorted()).toEqual(answers.toSorted());
    }
  });
});

it('a change whose body comes slowly keeps no other one waiting', async () => {
  const [one, other] = sandboxes;
  const headers = { ...asJson, expect: '100-continue' };
  const slow = request(`${one.url}/_sandbox/users`, { method: 'POST', headers });
  const [answered, letIn] = [once(slow, 'response'), once(slow, 'continue')];
  slow.flushHeaders();
  await letIn;
  slow.write('{"sub":');
  expect(await ways['the control API'].create(other.url, 'quick')).toBe(201);
  expect(await ways['the control API'].create(one.url, 'quick too')).toBe(201);
  slow.end('"slow"}');
  const [response] = await answered;
  expect(await json(response)).toMatchObject({ sub: 'slow' });
});
