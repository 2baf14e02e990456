import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../src/sandbox/config/settings.ts';
import { signIn } from '../support/wire.ts';
import { type Deployment, type DeploymentOptions, type Replica, startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { load } from './logins.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

/** Restarts each replica in its turn while people log in all the time. Returns the logins that failed. */
async function restartAll(
  options: Omit<DeploymentOptions, 'store'>,
  restart: (replica: Replica, deployment: Deployment) => Promise<void>,
): Promise<string[]> {
  await using deployment = await startReplicas({ store: engine.url, ...options });
  let good = 0;
  const failed: string[] = [];
  const running = load(3, async () => {
    const ended = await signIn(deployment.url).catch((error: unknown) => ({ failed: String(error) }));
    if ('access_token' in ended && ended.access_token !== undefined) good++;
    else failed.push(JSON.stringify(ended));
  });
  for (const replica of deployment.replicas) {
    await restart(replica, deployment);
    const before = good;
    await expect.poll(() => good + failed.length).toBeGreaterThan(before + 5);
  }
  await running.stop();
  expect(good).toBeGreaterThan(15);
  return failed;
}

it('loses no login while an operator restarts the replicas one after the other', async () => {
  const failed = await restartAll({}, async (replica, { balancer }) => {
    await balancer.drain(replica.port, true);
    await replica.stop('SIGTERM');
    await replica.start();
    await balancer.drain(replica.port, false);
  });
  expect(failed).toEqual([]);
});

// the balancer sees it at /ready, which comes with the setting
describe.runIf('drainDelay' in settings)('a replica that is told to stop', () => {
  it('is left out by the balancer in time, so that no login is lost', async () => {
    const options = { checksReady: true, env: { DRAIN_DELAY: '2' } };
    const failed = await restartAll(options, async (replica, { balancer, replicas }) => {
      const all = replicas.map(({ port }) => port);
      await expect.poll(() => balancer.up()).toEqual(all);
      await replica.stop('SIGTERM');
      await replica.start();
      await expect.poll(() => balancer.up()).toEqual(all);
    });
    expect(failed).toEqual([]);
  });
});
