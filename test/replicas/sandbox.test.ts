import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createSandbox, type Sandbox, type SandboxConfig } from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { createSelfSigned } from '../../src/server/tls/self-signed.ts';
import { observes } from '../observed.ts';
import { freePort } from '../support/free-port.ts';
import { loadConfig } from '../support/load-config.ts';
import { startEngine, type TestEngine } from './engine.ts';

describe('several sandboxes with one STORE_URL', () => {
  let engine: TestEngine;
  let started: Sandbox[] = [];
  beforeAll(async () => {
    engine = await startEngine();
  });
  const beside: Engine[] = [];
  afterEach(async () => {
    for (const each of started) await each.stop();
    started = [];
    for (const each of beside.splice(0)) await each.close();
  });
  afterAll(() => engine[Symbol.asyncDispose]());

  async function replica(config: SandboxConfig = {}): Promise<Sandbox> {
    const sandbox = await createSandbox({ storeUrl: engine.url, issuer: 'http://localhost:9999', ...config });
    started.push(sandbox);
    return sandbox;
  }
  async function connectedTo(prefix: string): Promise<Engine> {
    const connected = await connectEngine({ url: engine.url, prefix });
    beside.push(connected);
    return connected;
  }
  const json = async (sandbox: Sandbox, path: string) => (await fetch(sandbox.url + path)).json();
  const send = (sandbox: Sandbox, method: string, path: string, body: object = {}) =>
    fetch(sandbox.url + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('sign with the same keys, and know what another one has changed', async () => {
    observes('setting storeUrl');
    const storePrefix = 'shared';
    const [one, two] = [await replica({ storePrefix }), await replica({ storePrefix })];
    expect(await json(one, '/oauth2/jwks')).toEqual(await json(two, '/oauth2/jwks'));

    expect((await send(one, 'POST', '/_sandbox/users', { sub: 'zoe' })).status).toBe(201);
    expect(await json(two, '/_sandbox/users/zoe')).toMatchObject({ sub: 'zoe' });
    await send(two, 'POST', '/_sandbox/clock', { advance: '1h' });
    expect(await json(one, '/_sandbox/clock')).toMatchObject({ offset: 3600 });
    await send(two, 'POST', '/_sandbox/keys/rotate');
    expect(await json(one, '/oauth2/jwks')).toEqual(await json(two, '/oauth2/jwks'));
  });

  it('are one sandbox: one of a different issuer is refused at its start', async () => {
    const storePrefix = 'of-somebody';
    const one = await replica({ storePrefix });
    await expect(replica({ storePrefix, issuer: 'http://localhost:8888' })).rejects.toThrow(
      'has the sandbox http://localhost:9999 there, and this one is http://localhost:8888',
    );
    expect((await fetch(`${one.url}/ready`)).status).toBe(200);
    await replica({ storePrefix: 'another', issuer: 'http://localhost:8888' });
  });

  it('tell the setting that all must have alike, and both values, a secret by its digest', async () => {
    const storePrefix = 'alike';
    await replica({ storePrefix, seed: 'ours', issuers: { '/acme': { preset: 'entra' } } });
    const refusal = (config: SandboxConfig) =>
      replica({ storePrefix, ...config }).catch((error: unknown) => String(error));
    const refused = await refusal({ seed: 'theirs', preset: 'google', signingAlg: 'ES256' });
    const have = `which the replicas at ${engine.url} with the STORE_PREFIX alike have, or another STORE_PREFIX`;
    expect(refused).toContain(`PRESET: found google,issuer=local, expected none, ${have}`);
    expect(refused).toContain(`SIGNING_ALG: found ES256, expected RS256, ${have}`);
    expect(refused).toMatch(/SEED: found the digest [\w-]{12}, expected the digest [\w-]{12}, which/);
    expect(refused).not.toMatch(/ours|theirs/);
    expect(await refusal({ seed: 'ours', issuers: { '/acme': { preset: 'okta' } } })).toContain(
      'PRESET of /acme: found okta',
    );
    expect(await refusal({ issuers: { '/acme': { preset: 'entra' } } })).toMatch(
      /SEED: found none, expected the digest/,
    );
  });

  it('may differ in the rest for the minute of an update: clients, users, lifetimes, further issuers, and the version', async () => {
    const storePrefix = 'update';
    const one = await replica({ storePrefix });
    await (await connectedTo(storePrefix)).send('HSET', `${storePrefix}:sandbox`, 'version', '0.0.1');
    const two = await replica({
      storePrefix,
      clients: [{ client_id: 'new', client_secret: 'new-secret', grant_types: ['client_credentials'] }],
      users: [{ sub: 'newcomer' }],
      accessTokenLifetime: 60,
      issuers: { '/acme': { preset: 'entra' } },
    });
    expect(await json(two, '/oauth2/jwks')).toEqual(await json(one, '/oauth2/jwks'));
    await expect.poll(() => json(one, '/ready')).toMatchObject({ status: 'UP' });
  });

  it('have one form of what they share: a version with another one is refused', async () => {
    const storePrefix = 'form';
    await replica({ storePrefix });
    const there = { format: '99', version: '9.1.0' };
    await (await connectedTo(storePrefix)).send('HSET', `${storePrefix}:sandbox`, ...Object.entries(there).flat());
    await expect(replica({ storePrefix })).rejects.toThrow(
      /has what Grantbox 9\.1\.0 keeps in the format 99 there, and Grantbox \S+ has the format \d+\. Set another STORE_PREFIX/,
    );
  });

  it('are not ready once the engine has another sandbox, and tell an engine that lost the record', async () => {
    const storePrefix = 'record';
    const one = await replica({ storePrefix });
    const beside = await connectedTo(storePrefix);
    const record = `${storePrefix}:sandbox`;
    const before = await beside.send('HGETALL', record);
    expect(before).toEqual(
      expect.arrayContaining(['ISSUER', 'http://localhost:9999', 'PRESET', 'none', 'SEED', 'none']),
    );
    await beside.send('DEL', record);
    await expect.poll(() => beside.send('HGETALL', record)).toEqual(before);
    await beside.send('HSET', record, 'ISSUER', 'http://localhost:8888');
    const ready = () => json(one, '/ready');
    await expect
      .poll(ready)
      .toMatchObject({ status: 'DOWN', store: { detail: expect.stringContaining('another ISSUER') } });
    await beside.send('HSET', record, 'ISSUER', 'http://localhost:9999');
    await expect.poll(ready).toMatchObject({ status: 'UP' });
  });

  it('have every change that another one made before they began', async () => {
    const storePrefix = 'later';
    const one = await replica({ storePrefix });
    await send(one, 'POST', '/_sandbox/users', { sub: 'zoe' });
    await send(one, 'DELETE', '/_sandbox/users/alice');
    await send(one, 'POST', '/_sandbox/faults', { fault: 'unavailable', endpoint: 'token' });
    const { id } = (await (await send(one, 'POST', '/_sandbox/issuers')).json()) as { readonly id: string };

    const two = await replica({ storePrefix });
    expect((await fetch(`${two.url}/_sandbox/users/zoe`)).status).toBe(200);
    expect((await fetch(`${two.url}/_sandbox/users/alice`)).status).toBe(404);
    expect(await json(two, '/_sandbox/faults')).toMatchObject({ faults: [{ endpoint: 'token', times: 1 }] });
    expect((await fetch(`${two.url}/i/${id}/.well-known/openid-configuration`)).status).toBe(200);
  });

  it('meet a fault as often as it was armed, and no more', async () => {
    const storePrefix = 'faults';
    const [one, two] = [await replica({ storePrefix }), await replica({ storePrefix })];
    await send(one, 'POST', '/_sandbox/faults', { fault: 'unavailable', endpoint: 'token', times: 3 });
    const all = Array.from({ length: 20 }, (_, index) =>
      fetch(`${[one, two][index % 2]?.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams() }),
    );
    const answers = await Promise.all(all);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 503)).toHaveLength(3);
    expect(await json(two, '/_sandbox/faults')).toEqual({ faults: [] });
  });

  it('show one log', async () => {
    const storePrefix = 'log';
    const [one, two] = [await replica({ storePrefix }), await replica({ storePrefix })];
    await fetch(`${one.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams({ client_id: 'nobody' }) });
    const types = ((await json(two, '/_sandbox/events?type=error.returned')) as { readonly events: unknown[] }).events;
    expect(types).toMatchObject([{ reason: 'client_unknown', sent: 'nobody' }]);
  });

  it('tell an engine that has lost its memory what they know, and a replica that joins afterwards', async () => {
    const storePrefix = 'empty';
    const [one, two] = [await replica({ storePrefix }), await replica({ storePrefix })];
    await send(one, 'POST', '/_sandbox/users', { sub: 'zoe' });
    const keys = await json(two, '/oauth2/jwks');
    await engine.kill();
    await engine.start();
    for (const each of [one, two])
      await expect.poll(async () => (await fetch(`${each.url}/_sandbox/users/zoe`)).status).toBe(200);
    const late = await replica({ storePrefix });
    expect(await json(late, '/oauth2/jwks')).toEqual(keys);
    expect((await fetch(`${late.url}/_sandbox/users/zoe`)).status).toBe(200);
  });

  it('have the same endpoints for webhooks', async () => {
    const storePrefix = 'webhooks';
    const [one, two] = [await replica({ storePrefix }), await replica({ storePrefix })];
    const url = 'http://127.0.0.1:1/hook';
    const added = await (await send(one, 'POST', '/_sandbox/webhooks', { url })).json();
    expect(await json(two, '/_sandbox/webhooks')).toMatchObject({ webhooks: [{ url, secret: added.secret }] });
    await send(two, 'DELETE', `/_sandbox/webhooks/${added.id}`);
    expect(await json(one, '/_sandbox/webhooks')).toMatchObject({ webhooks: [] });
  });

  it('all read their file when one is told to', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'grantbox-reload-'));
    const file = join(folder, 'clients.config.json');
    const write = (label: string) => writeFile(file, JSON.stringify({ users: [{ sub: label }] }));
    await write('before');
    const config = await loadConfig({
      cwd: folder,
      overrides: {
        port: 0,
        issuer: 'http://localhost:9999',
        storeUrl: engine.url,
        storePrefix: 'reload',
        watch: false,
      },
    });
    const [one, two] = [await startSandbox(config), await startSandbox(config)];
    started.push(one, two);
    await write('after');
    expect((await send(one, 'POST', '/_sandbox/reload')).status).toBe(200);
    expect((await fetch(`${two.url}/_sandbox/users/after`)).status).toBe(200);
    expect((await fetch(`${two.url}/_sandbox/users/before`)).status).toBe(404);
    expect(await json(two, '/_sandbox/events?type=configuration.reloaded')).toMatchObject({ events: [{ by: 'api' }] });
    await rm(folder, { recursive: true });
  });

  it('are no room of a workshop, whose seats are in one process', async () => {
    const refused = await replica({ storePrefix: 'room', workshop: 2 }).catch((error: unknown) => error);
    expect(String(refused)).toContain('no WORKSHOP together with STORE_URL');
  });

  it('are apart with another STORE_PREFIX', async () => {
    observes('setting storePrefix');
    const [one, two] = [await replica({ storePrefix: 'left' }), await replica({ storePrefix: 'right' })];
    await send(one, 'POST', '/_sandbox/users', { sub: 'zoe' });
    expect((await fetch(`${two.url}/_sandbox/users/zoe`)).status).toBe(404);
    expect(await json(one, '/oauth2/jwks')).not.toEqual(await json(two, '/oauth2/jwks'));
  });

  it('answer 503 while the engine is away, and go on when it is back', async () => {
    const sandbox = await replica({ storePrefix: 'away' });
    await engine.kill();
    const refused = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams() });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    const page = await fetch(`${sandbox.url}/dashboard`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('The sandbox is not ready');
    expect(await (await fetch(`${sandbox.url}/ready`)).json()).toMatchObject({
      status: 'DOWN',
      store: { state: 'DOWN' },
    });
    await engine.start();
    await expect.poll(async () => (await fetch(`${sandbox.url}/ready`)).status).toBe(200);
    expect((await fetch(`${sandbox.url}/oauth2/jwks`)).status).toBe(200);
  });

  it('say that a single-use write was not confirmed by the replicas of the engine that STORE_WAIT asks for', async () => {
    observes('setting storeWait');
    const sandbox = await replica({ storePrefix: 'wait', storeWait: 1 });
    const refused = await sandbox.login({ client: 'frontend', user: 'alice' }).catch((error: unknown) => error);
    expect(String(refused)).toContain('0 of 1 replicas of the shared store confirmed a write (STORE_WAIT)');
  });

  it('trust the CA of STORE_CA', async () => {
    observes('setting storeCa');
    const folder = await mkdtemp(join(tmpdir(), 'grantbox-store-ca-'));
    const { server, ca } = await createSelfSigned([], new Date());
    const files = { 'cert.pem': server.cert, 'key.pem': server.key, 'ca.pem': ca };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const port = await freePort();
    const at = (name: string) => join(folder, name);
    const tls = ['--tls-port', String(port), '--tls-cert-file', at('cert.pem'), '--tls-key-file', at('key.pem')];
    const secure = await startEngine(...tls, '--tls-ca-cert-file', at('ca.pem'), '--tls-auth-clients', 'no');
    const sandbox = await replica({ storeUrl: `rediss://localhost:${port}`, storeCa: at('ca.pem') });
    expect((await fetch(`${sandbox.url}/oauth2/jwks`)).status).toBe(200);
    await sandbox.stop();
    await secure[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
});
