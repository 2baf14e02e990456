import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { authorizeQuery, callback, get, post, redeem, signIn } from '../support/wire.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, machineToken } from './logins.ts';

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

async function eventTypes(): Promise<readonly string[]> {
  const { events } = await (await get(`${sandbox.url}/_sandbox/events`)).json();
  return events.map(({ type }: { readonly type: string }) => type);
}

const writes: Readonly<Record<string, () => Promise<Response>>> = {
  'a pushed request': () => post(`${sandbox.url}/oauth2/par`, authorizeQuery().toString()),
  'a sign-in': () => post(`${sandbox.url}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin: sandbox.url }),
  'a registration': () => sendJson('/connect/register', { redirect_uris: [callback] }),
  'a user by the control API': () => sendJson('/_sandbox/users', { sub: 'zoe' }),
  'a user by the form of the dashboard': () =>
    post(`${sandbox.url}/dashboard/users`, { sub: 'yara' }, { origin: sandbox.url }),
  'a token that only its event remembers': () => machineToken(sandbox.url),
};

describe('a full engine', () => {
  it.each(Object.keys(writes))('refuses %s with 503, and takes it when there is room again', async name => {
    await fill(true);
    const refused = await writes[name]?.();
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.text()).toContain('the shared store refuses it: OOM command not allowed');
    await fill(false);
    expect((await writes[name]?.())?.status).toBeLessThan(400);
  });

  it('does not use up what it refuses: a code and a refresh token are good for another attempt', async () => {
    const code = await codeOf(sandbox.url);
    const { refresh_token } = await signIn(sandbox.url);
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    const attempts = [() => redeem(sandbox.url, code), () => post(`${sandbox.url}/oauth2/token`, refresh)];
    await fill(true);
    for (const attempt of attempts) expect((await attempt()).status).toBe(503);
    await fill(false);
    for (const attempt of attempts) expect((await attempt()).status).toBe(200);
  });

  it('takes a reset, which makes room, by the control API, by the dashboard and by the handle', async () => {
    const everything = { part: 'everything' };
    for (const reset of [
      () => sendJson('/_sandbox/reset', {}).then(({ status }) => expect(status).toBe(200)),
      () =>
        post(`${sandbox.url}/dashboard/settings/reset`, everything, { origin: sandbox.url }).then(({ status }) =>
          expect(status).toBe(303),
        ),
      () => sandbox.reset(),
    ]) {
      const code = await codeOf(sandbox.url);
      await sandbox.users.create({ sub: 'zara' });
      await sandbox.clients.create({ client_id: 'late', redirect_uris: [callback] });
      await fill(true);
      await reset();
      expect((await sandbox.users.list()).map(({ sub }) => sub)).not.toContain('zara');
      expect(await eventTypes()).not.toContain('code.issued');
      await fill(false);
      expect((await redeem(sandbox.url, code)).status).toBe(400);
    }
  });

  it('lets a replica start again, which may make room', async () => {
    await fill(true);
    const again = await createSandbox({ storeUrl: running.url, issuer: sandbox.url });
    expect((await get(`${again.url}/oauth2/jwks`)).status).toBe(200);
    await again.reset();
    await again.stop();
  });

  it('is read as before', async () => {
    await fill(true);
    for (const path of ['/oauth2/jwks', '/_sandbox/users', '/dashboard'])
      expect((await get(sandbox.url + path)).status).toBe(200);
  });
});
