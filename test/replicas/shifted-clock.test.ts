import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asSensor, post } from '../support/wire.ts';
import { connectSandbox } from './connect.ts';
import { type Deployment, startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, machineToken, redeemUntilAnswered } from './logins.ts';

const shiftedDate = join(import.meta.dirname, 'shifted-date.cjs');

describe.each([-60, 60])('a replica whose system clock is %i s off', shift => {
  let engine: TestEngine;
  let deployment: Deployment;
  let right: string;
  let shifted: string;
  beforeAll(async () => {
    engine = await startEngine();
    deployment = await startReplicas({
      store: engine.url,
      count: 2,
      env: { CODE_LIFETIME: '30' },
      own: place => (place === 1 ? { nodeArgs: ['--require', shiftedDate], env: { SHIFT: String(shift) } } : {}),
    });
    [right, shifted] = [deployment.replicas[0].url, deployment.replicas[1].url];
  });
  afterAll(async () => {
    await deployment?.[Symbol.asyncDispose]();
    await engine?.[Symbol.asyncDispose]();
  });

  it('issues tokens at the time of the others', async () => {
    const times: number[] = [];
    for (const url of [right, shifted, right, shifted]) {
      const { access_token } = (await (await machineToken(url)).json()) as { access_token: string };
      times.push(decodeJwt(access_token).iat ?? 0);
    }
    expect(times).toEqual(times.toSorted());
  });

  it('redeems a code of the others, which is good for less than the difference, and the others redeem its codes', async () => {
    expect((await redeemUntilAnswered(shifted, await codeOf(right))).status).toBe(200);
    expect((await redeemUntilAnswered(right, await codeOf(shifted))).status).toBe(200);
  });

  it('ends tokens when the others do', async () => {
    const sandbox = await connectSandbox(right);
    const { access_token } = await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens' });
    const headers = { authorization: `Bearer ${access_token}` };
    const statuses = async () =>
      Promise.all([right, shifted].map(async url => (await fetch(`${url}/userinfo`, { headers })).status));
    expect(await statuses()).toEqual([200, 200]);
    await sandbox.clock.toBeforeNextExpiry({ seconds: 20 });
    expect(await statuses()).toEqual([200, 200]);
    await sandbox.clock.advance(10_000);
    expect(await statuses()).toEqual([401, 401]);
    await sandbox.clock.reset();
  });

  it('shows the same time and orders events with the others', async () => {
    for (const url of [right, shifted, right, shifted]) await (await machineToken(url)).arrayBuffer();
    const lists = await Promise.all(
      [right, shifted].map(async url => (await connectSandbox(url)).events.list({ type: 'token.issued', limit: 4 })),
    );
    const [one = [], two] = lists.map(events => events.map(({ id, at }) => ({ id, at })));
    expect(one).toHaveLength(4);
    expect(two).toEqual(one);
    const byId = one.toSorted((a, b) => a.id - b.id).map(({ at }) => at);
    expect(byId).toEqual(byId.toSorted());
    const body = { grant_type: 'client_credentials', scope: 'no-such-scope' };
    expect((await post(`${shifted}/oauth2/token`, body, { authorization: asSensor })).status).toBe(400);
  });
});
