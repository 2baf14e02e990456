import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { settings } from '../../src/sandbox/config/settings.ts';
import { allKeys } from '../support/all-keys.ts';
import { type Deployment, startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, load, machineToken, redeemUntilAnswered } from './logins.ts';

let engine: TestEngine;
let deployment: Deployment;
beforeEach(async () => {
  engine = await startEngine('--appendonly', 'yes');
  deployment = await startReplicas({ store: engine.url, count: 2 });
});
afterEach(async () => {
  await deployment?.[Symbol.asyncDispose]();
  await engine?.[Symbol.asyncDispose]();
});

/** Asks for tokens all the time and counts the answers by status. */
function startLoad(url: string) {
  const counts = new Map<number, number>();
  const wrong: string[] = [];
  const running = load(4, async () => {
    const response = await machineToken(url);
    const { status } = response;
    const content = await response.json();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    const isToken = status === 200 && typeof content.access_token === 'string';
    const isRefusal =
      status === 503 && content.error === 'temporarily_unavailable' && Number(response.headers.get('retry-after')) > 0;
    if (!isToken && !isRefusal) wrong.push(`${status} ${JSON.stringify(content)}`);
  });
  return {
    ...running,
    wrong,
    /** Waits for so many more answers with this status. */
    async more(status: number, count: number): Promise<void> {
      const from = counts.get(status) ?? 0;
      await expect.poll(() => (counts.get(status) ?? 0) - from).toBeGreaterThanOrEqual(count);
    },
  };
}

const outages = {
  'is killed and started again': { begin: () => engine.kill(), end: () => engine.start() },
  'stands still and goes on': {
    begin: async () => void process.kill(engine.pid, 'SIGSTOP'),
    end: async () => void process.kill(engine.pid, 'SIGCONT'),
  },
};

for (const [words, { begin, end }] of Object.entries(outages)) {
  it(`answers 503 while the engine ${words}, never anything wrong, and is well again`, async () => {
    const { url, replicas } = deployment;
    const code = await codeOf(url);
    const before = await allKeys(url);
    const running = startLoad(url);
    await running.more(200, 20);
    await begin();
    await running.more(503, 20);
    for (const replica of replicas) {
      expect((await fetch(`${replica.url}/dashboard`)).status).toBe(503);
    }
    await end();
    await running.more(200, 20);
    await running.stop();
    expect(running.wrong).toEqual([]);
    // what was there before is there again
    expect(await (await fetch(`${url}/oauth2/jwks`)).text()).toBe(before);
    expect((await redeemUntilAnswered(url, code)).status).toBe(200);
  });
}

// /ready comes with the setting
describe.runIf('drainDelay' in settings)('a replica without its engine', () => {
  it('is not ready, says why, and is ready again', async () => {
    const [{ url }] = deployment.replicas;
    const ready = async () => {
      const response = await fetch(`${url}/ready`);
      return { status: response.status, content: await response.json() };
    };
    expect((await ready()).status).toBe(200);
    await engine.kill();
    await expect.poll(ready).toMatchObject({ status: 503, content: { status: 'DOWN', store: { state: 'DOWN' } } });
    await engine.start();
    await expect.poll(ready).toMatchObject({ status: 200 });
  });
});

it('goes on with the same keys after an engine that kept nothing comes back', async () => {
  await using forgetful = await startEngine();
  await using fresh = await startReplicas({ store: forgetful.url, count: 2 });
  const before = await allKeys(fresh.url);
  const code = await codeOf(fresh.url);
  await forgetful.kill();
  await forgetful.start();
  const statuses = async () => [(await machineToken(fresh.url)).status, (await machineToken(fresh.url)).status];
  await expect.poll(statuses).toEqual([200, 200]);
  // a code that nobody knows is no longer good for anything
  expect((await redeemUntilAnswered(fresh.url, code)).status).toBe(400);
  const [one, two] = await Promise.all(
    fresh.replicas.map(async each => (await fetch(`${each.url}/oauth2/jwks`)).text()),
  );
  expect([one, two]).toEqual([before, before]);
});
