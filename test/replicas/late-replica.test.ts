import { afterAll, beforeAll, expect, it } from 'vitest';
import { allKeys } from '../support/all-keys.ts';
import { asSensor, post } from '../support/wire.ts';
import { connectSandbox } from './connect.ts';
import { startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, redeemUntilAnswered } from './logins.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

/** The times without their offsets, which change with each second of the machine while the clock is frozen. */
async function shownTime(url: string) {
  const { now, frozen, api } = await (await connectSandbox(url)).clock.state();
  return { now, frozen, apiNow: api.now, isApiFrozen: api.frozen };
}

it('a replica that joins later sees everything that was made before', async () => {
  await using deployment = await startReplicas({ store: engine.url, count: 3, started: 2 });
  const [first, , last] = deployment.replicas;
  const through = await connectSandbox(deployment.url);
  await through.users.create({ sub: 'tess', claims: { department: 'racing' } });
  await through.clients.create({
    client_id: 'late',
    client_secret: 'late-secret',
    grant_types: ['client_credentials'],
  });
  await through.users.delete('bob');
  await through.rotateKeys();
  await through.clock.freeze();
  await through.clock.advance('1d');
  await through.faults.arm({ fault: 'unavailable', endpoint: 'userinfo' });
  const code = await codeOf(deployment.url, 'tess');
  const made = await through.createIssuer({ users: [{ sub: 'solo' }] });
  const keys = await allKeys(first.url);

  await last?.start();
  const url = last?.url ?? '';
  const late = await connectSandbox(url);
  expect(await late.users.list()).toEqual(await through.users.list());
  expect(await late.clients.list()).toEqual(await through.clients.list());
  expect(await shownTime(url)).toEqual(await shownTime(first.url));
  expect(await late.faults.list()).toEqual(await through.faults.list());
  expect(await (await fetch(`${url}/oauth2/jwks`)).text()).toBe(keys);
  expect(await late.events.list({ type: 'code.issued' })).toEqual(await through.events.list({ type: 'code.issued' }));
  const asLate = { authorization: `Basic ${btoa('late:late-secret')}` };
  expect((await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, asLate)).status).toBe(200);
  expect(
    (await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor })).status,
  ).toBe(200);
  const redeemed = await redeemUntilAnswered(url, code);
  expect(redeemed.status).toBe(200);
  const headers = { authorization: `Bearer ${redeemed.tokens?.access_token}` };
  expect((await fetch(`${url}/userinfo`, { headers })).status).toBe(503); // the fault
  const path = new URL(made.issuer).pathname;
  expect((await fetch(`${url}${path}/.well-known/openid-configuration`)).status).toBe(200);
  expect((await (await connectSandbox(url + path)).users.list()).map(({ sub }) => sub)).toEqual(['solo']);
});
