import { inject } from 'vitest';
import type { Sandbox, SandboxConfig, SandboxEnvironment } from '../../../src/index.ts';
import { createSandbox as create } from '../../support/bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { startBalancer } from '../balancer.ts';
import { followAnswers } from './follow-answers.ts';

/** `REPLICAS=1` shows what the balancer alone changes. */
const replicaCount = Number(process.env.REPLICAS ?? 3);

/**
 * In the place of `test/support/bundle.ts`: three replicas of one sandbox behind haproxy. The handle is the one of the first
 * replica, and its URL is the balancer's, which sends successive requests to different replicas. A sandbox with HTTPS is one
 * process on the engine: each makes a certificate of its own.
 */
export async function createSandbox(
  config: SandboxConfig = {},
  environment: SandboxEnvironment = {},
): Promise<Sandbox> {
  const store = { storeUrl: inject('store'), storePrefix: crypto.randomUUID() };
  if (config.tls !== undefined) return create({ ...config, ...store }, environment);
  const port = await portFor(config, environment);
  const url = `http://localhost:${port}`;
  const shared = { issuer: url, ...config, ...store, port: 0 };
  const first = await create(shared, environment);
  const replicas = [first];
  const stopAll = async () => void (await Promise.all(replicas.map(each => each.stop())));
  try {
    replicas.push(...(await Promise.all(Array.from({ length: replicaCount - 1 }, () => create(shared, environment)))));
    const ports = replicas.map(each => Number(new URL(each.url).port));
    const balancer = await startBalancer({ port, replicas: ports });
    const unfollow = followAnswers(port, first);
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

/** The port of the balancer. One that the test names is refused as a single process refuses it. */
async function portFor(config: SandboxConfig, environment: SandboxEnvironment): Promise<number> {
  if (config.port === undefined || config.port === 0) return freePort();
  await (await create(config, environment)).stop();
  return config.port;
}
