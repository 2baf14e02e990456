import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allKeys } from '../support/all-keys.ts';
import { answer, asSensor, login, post, redeem } from '../support/wire.ts';
import { commandsDuring } from './counted-commands.ts';
import { type Deployment, startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';

// An engine on another machine takes about half a millisecond for each round trip, which the user of a token waits for.
describe('the commands for the engine', () => {
  let engine: TestEngine;
  let deployment: Deployment;
  beforeAll(async () => {
    engine = await startEngine();
    deployment = await startReplicas({ store: engine.url, count: 2 });
  });
  afterAll(async () => {
    await deployment?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  /** How many commands one time takes: the fewest of twenty, because a replica asks for news each second, too. */
  async function commandsFor(once: () => Promise<void>): Promise<number> {
    await Promise.all(deployment.replicas.map(({ url }) => allKeys(url))); // until then they tell each other of new keys
    for (let time = 0; time < 4; time++) await once();
    const counts: number[] = [];
    for (let time = 0; time < 20; time++) counts.push((await commandsDuring(engine.port, once)).length);
    return Math.min(...counts);
  }

  it('are at most 3 for a token of client credentials: what is new, what happened', async () => {
    const count = await commandsFor(async () => {
      const form = { grant_type: 'client_credentials' };
      const response = await post(`${deployment.url}/oauth2/token`, form, { authorization: asSensor });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    });
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(3);
  });

  it('are at most 28 for a login with a code: eight for each of the form, the code and the tokens', async () => {
    const count = await commandsFor(async () => {
      const code = (await answer(deployment.url, await login(deployment.url))).get('code') ?? '';
      const response = await redeem(deployment.url, code);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    });
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(28);
  });
});
