import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/replicas/engine.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox.ts';
import { authorizeQuery, callback, get, post } from '../support/wire.ts';
import { startEngine, type TestEngine } from './engine.ts';

let running: TestEngine;
let engine: Engine;
let sandbox: Sandbox;
beforeAll(async () => {
  running = await startEngine();
  engine = await connectEngine({ url: running.url, prefix: 'beside' });
  sandbox = await createSandbox({ storeUrl: running.url });
});
afterEach(() => fill(false));
afterAll(async () => {
  await sandbox?.stop();
  await engine?.close();
  await running?.[Symbol.asyncDispose]();
});

/** Has the engine refuse each command that needs memory, as with `noeviction` at `maxmemory`. */
const fill = (isFull: boolean) => engine.send('CONFIG', 'SET', 'maxmemory', isFull ? 1 : 0);

const sendJson = (path: string, body: object) =>
  post(sandbox.url + path, JSON.stringify(body), { 'content-type': 'application/json' });

const writes: Readonly<Record<string, () => Promise<Response>>> = {
  'a pushed request': () => post(`${sandbox.url}/oauth2/par`, authorizeQuery().toString()),
  'a login': () => post(`${sandbox.url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: sandbox.url }),
  'a registration': () => sendJson('/connect/register', { redirect_uris: [callback] }),
  'a user by the control API': () => sendJson('/_sandbox/users', { sub: 'zoe' }),
};

describe('a full engine', () => {
  it.each(Object.keys(writes))('refuses %s with 503, and takes it when there is room again', async name => {
    await fill(true);
    const refused = await writes[name]?.();
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('1');
    await fill(false);
    expect((await writes[name]?.())?.status).toBeLessThan(400);
  });

  it('is read as before', async () => {
    await fill(true);
    for (const path of ['/oauth2/jwks', '/_sandbox/users', '/dashboard'])
      expect((await get(sandbox.url + path)).status).toBe(200);
  });
});
