import { afterAll, beforeAll, expect, it } from 'vitest';
import { allKeys } from '../support/all-keys.ts';
import { connectSandbox } from './connect.ts';
import { startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, redeemUntilAnswered } from './logins.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

it('ends each login that had its code on another replica when one is killed, and issues nothing twice', async () => {
  await using deployment = await startReplicas({ store: engine.url });
  const { url, replicas } = deployment;
  const codes = await Promise.all(Array.from({ length: 24 }, () => codeOf(url)));
  const under = codes.slice(0, 16).map(code => redeemUntilAnswered(url, code));
  await Promise.race(under);
  await replicas[0].stop('SIGKILL');
  const after = codes.slice(16).map(code => redeemUntilAnswered(url, code));
  const results = await Promise.all([...under, ...after]);

  // a repeated code may have been redeemed by the attempt whose answer was lost
  for (const { status, isRepeated } of results) expect(isRepeated ? [200, 400] : [200]).toContain(status);
  expect(results.slice(16).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));

  const { events } = await connectSandbox(replicas[1].url);
  const issued = await events.list({ type: 'token.issued', limit: 1000 });
  const accessTokens = issued.filter(({ tokenType }) => tokenType === 'access');
  const authorizations = accessTokens.map(({ authorizationId }) => authorizationId);
  expect(new Set(authorizations).size).toBe(authorizations.length);
  for (const { tokens } of results)
    if (tokens) expect(accessTokens.map(({ token }) => token)).toContain(tokens.access_token);
  for (const code of codes.slice(16)) expect((await redeemUntilAnswered(url, code)).status).toBe(400);
});

it('takes a killed replica back into the same sandbox', async () => {
  await using deployment = await startReplicas({ store: engine.url, count: 2 });
  const { url, replicas } = deployment;
  const before = await allKeys(url);
  const code = await codeOf(url);
  await replicas[0].stop('SIGKILL');
  await replicas[0].start();
  expect(await (await fetch(`${replicas[0].url}/oauth2/jwks`)).text()).toBe(before);
  expect((await redeemUntilAnswered(replicas[0].url, code)).status).toBe(200);
});
