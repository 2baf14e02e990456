import { inject } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../../src/index.ts';
import type { SandboxEnvironment } from '../../../src/sandbox.ts';
import { createSandbox as create } from '../../support/bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { startBalancer } from '../balancer.ts';
import { followAnswers } from './follow-answers.ts';

/**
 * In the place of `test/support/bundle.ts`: three replicas of one sandbox behind haproxy. The handle is the one of the first
 * replica, and its URL is the balancer's, which sends successive requests to different replicas.
 */
export async function createSandbox(
  { port = 0, selfTest, ...config }: SandboxConfig = {},
  environment: SandboxEnvironment = {},
): Promise<Sandbox> {
  const door = port === 0 ? await freePort() : port;
  const url = `http://localhost:${door}`;
  const shared = { issuer: url, ...config, storeUrl: inject('store'), storePrefix: crypto.randomUUID() };
  const first = await create({ ...shared, ...(selfTest === undefined ? {} : { selfTest }) }, environment);
  const replicas = [first];
  const stopAll = async () => void (await Promise.all(replicas.map(each => each.stop())));
  try {
    replicas.push(...(await Promise.all([create(shared, environment), create(shared, environment)])));
    const ports = replicas.map(each => Number(new URL(each.url).port));
    const balancer = await startBalancer({ port: door, replicas: ports });
    const unfollow = followAnswers(door, first);
    const stop = async () => {
      unfollow();
      await stopAll();
      await balancer[Symbol.asyncDispose]();
    };
    return { ...first, url, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
