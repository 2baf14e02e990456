import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { get } from '../support/wire.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { codeOf, machineToken } from './logins.ts';

let running: TestEngine;
let engine: Engine;
let sandbox: Sandbox;
beforeAll(async () => {
  running = await startEngine();
  engine = await connectEngine({ url: running.url, prefix: 'grantbox' });
  sandbox = await createSandbox({ storeUrl: running.url });
});
afterAll(async () => {
  await sandbox?.stop();
  await engine?.close();
  await running?.[Symbol.asyncDispose]();
});

async function store() {
  const answered = await get(`${sandbox.url}/ready`);
  const content = await answered.json();
  return { status: answered.status, ...content.store };
}
const key = (...parts: readonly string[]) => engine.key(...parts);
const ready = { status: 200, state: 'UP' };
const notReady = (place: string) => ({
  status: 503,
  state: 'DOWN',
  detail: expect.stringMatching(new RegExp(`^the shared store holds at .*${place}.* what no replica wrote: `)),
});
const user = '/\nusers\nzoe';

interface Damage {
  readonly place: string;
  readonly put: () => Promise<unknown>;
  readonly mend: () => Promise<unknown>;
}

const damages: Readonly<Record<string, Damage>> = {
  'an entry of the state that is no JSON': {
    place: 'state:entries / users zoe',
    put: () => engine.send('HSET', key('state', 'entries'), user, 'garbage'),
    mend: () => engine.send('HSET', key('state', 'entries'), user, ''),
  },
  'an entry of another form, under a new version': {
    place: 'state:entries / clients zoe',
    put: async () => {
      await engine.send('HSET', key('state', 'entries'), '/\nclients\nzoe', '"garbage"');
      await engine.send('ZADD', key('state', 'changed'), 1e9, '/\nclients\nzoe');
      await engine.send('INCR', key('state', 'version'));
    },
    mend: () => engine.send('HDEL', key('state', 'entries'), '/\nclients\nzoe'),
  },
  'a version that is no number': {
    place: 'state:version',
    put: () => engine.send('SET', key('state', 'version'), 'garbage'),
    mend: () => engine.send('DEL', key('state', 'version')),
  },
  'a text in place of the values of the store': {
    place: '{store:/}',
    put: () => engine.send('SET', key('{store:/}'), 'garbage'),
    mend: () => engine.send('DEL', key('{store:/}')),
  },
  'a text in place of the log': {
    place: 'log:/',
    put: () => engine.send('SET', key('log', '/'), 'garbage'),
    mend: () => engine.send('DEL', key('log', '/')),
  },
};

describe('/ready with an engine that holds garbage', () => {
  afterEach(async () => {
    for (const { mend } of Object.values(damages)) await mend();
  });
  it.each(Object.keys(damages))('says DOWN and where: %s, and UP when it is mended', async name => {
    const { place, put, mend } = damages[name] as Damage;
    await expect.poll(store).toEqual(ready);
    await put();
    await expect.poll(store).toEqual(notReady(place.replaceAll(/[{}]/g, '\\$&')));
    await mend();
    await expect.poll(store).toEqual(ready);
    expect((await machineToken(sandbox.url)).status).toBe(200);
  });

  it('says so of a value that a request could not read, while it is there', async () => {
    await expect.poll(store).toEqual(ready);
    const code = await codeOf(sandbox.url);
    const values = key('{store:/}:v:session');
    const [id = ''] = (await engine.send('HKEYS', values)) as string[];
    const kept = String(await engine.send('HGET', values, id));
    await engine.send('HSET', values, id, '99999999999 garbage');
    const listed = await get(`${sandbox.url}/_sandbox/sessions`);
    expect(listed.status).toBe(503);
    await expect.poll(store).toEqual(notReady('v:session'));
    await engine.send('HSET', values, id, kept);
    await expect.poll(store).toEqual(ready);
    expect(code).not.toBe('');
  });
});
