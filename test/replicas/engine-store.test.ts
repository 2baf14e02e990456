import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/base/store.ts';
import { connectEngine, type Engine } from '../../src/extensions/replicas/engine.ts';
import { createEngineStore, type EngineStoreOptions } from '../../src/extensions/replicas/engine-store.ts';
import { StoreUnavailable } from '../../src/extensions/replicas/store-unavailable.ts';
import { describeStore } from '../base/store-contract.ts';
import { createTestServer } from '../support/server.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { type Racers, startRacers } from './race.ts';

let running: TestEngine;
let engine: Engine;
beforeAll(async () => {
  running = await startEngine();
  engine = await connectEngine({ url: running.url, prefix: 'sandbox' });
});
afterAll(async () => {
  await engine?.close();
  await running?.[Symbol.asyncDispose]();
});

let stores = 0;

/** A store with a clock of its own, and a name that no other test has. */
function create(options: Partial<EngineStoreOptions> = {}) {
  let time = 1_700_000_000;
  const name = options.name ?? ['store', `/${stores++}`];
  return {
    name,
    store: createEngineStore({ engine, clock: () => time, ...options, name }),
    pass(seconds: number) {
      time += seconds;
    },
  };
}

describeStore('the store in the engine', create);

describe('the store in the engine', () => {
  it('is one for all replicas, and another one for another issuer', async () => {
    const name = ['store', '/shared'];
    const [one, two, other] = [create({ name }), create({ name }), create({ name: ['store', '/other'] })];
    await one.store.put(['code', 'a'], 1, 60);
    expect(await other.store.take(['code', 'a'])).toBeUndefined();
    expect(await two.store.take(['code', 'a'])).toBe(1);
    expect(await one.store.get(['code', 'a'])).toBeUndefined();
  });

  it('asks the sandbox clock whether an entry has expired: one that is set back makes it live again', async () => {
    const { store, pass } = create();
    await store.put(['code', 'a'], 1, 60);
    await pass(60);
    expect(await store.get(['code', 'a'])).toBeUndefined();
    await pass(-1);
    expect(await store.get(['code', 'a'])).toBe(1);
  });

  it('leaves nothing in the engine for longer than a day after the end of its last entry', async () => {
    const { store, name } = create();
    await store.put(['code', 'a'], 1, 3600);
    await store.put(['code', 'b'], 1, 60);
    const keys = await keysOf(name);
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      const hours = Number(await engine.send('PTTL', key)) / 3_600_000;
      expect(hours).toBeGreaterThan(24.9);
      expect(hours).toBeLessThanOrEqual(25);
    }
  });

  it('leaves nothing of a kind in the engine after take, delete and clear', async () => {
    const { store, name } = create();
    for (const id of 'abcd') await store.put(['code', id], id, 60);
    await store.put(['session', 'a'], 1, 60);
    await store.take(['code', 'a']);
    await store.delete(['code', 'b']);
    await store.clear('session');
    expect(await engine.send('ZRANGE', engine.key(`{${name.join(':')}}:o:code`), 0, -1)).toEqual(['c', 'd']);
    await store.clear();
    expect(await keysOf(name)).toEqual([engine.key(`{${name.join(':')}}`)]);
  });

  it('forgets, beside what comes in, what has expired', async () => {
    const { store, name, pass } = create();
    for (const id of 'abcdefgh') await store.put(['code', id], id, 60);
    await pass(60);
    for (const id of 'ijkl') await store.put(['code', id], id, 60);
    expect(await engine.send('HKEYS', engine.key(`{${name.join(':')}}:v:code`))).toEqual([...'ijkl']);
  });

  it.each([
    ['a date', { at: new Date(0) }, 'in at a Date'],
    ['a map', { by: [new Map()] }, 'in 0 a Map'],
    ['bytes', new Uint8Array(1), 'a Uint8Array'],
    ['a number that is none', { exp: Number.NaN }, 'in exp a number NaN'],
    ['an infinite one', [Number.POSITIVE_INFINITY], 'in 0 a number Infinity'],
    ['a large integer', 1n, 'a bigint 1'],
    ['a function', { make: () => 1 }, 'in make a function'],
    ['a gap', [undefined], 'in 0 a undefined'],
    ['nothing', undefined, 'a undefined'],
  ])('tells of %s, which JSON does not keep', async (_what, value, said) => {
    const { store } = create();
    await expect(store.put(['code', 'a'], value, 60)).rejects.toThrow(said);
    expect(await store.get(['code', 'a'])).toBeUndefined();
  });

  it('leaves out members that are undefined', async () => {
    const { store } = create();
    await store.put(['code', 'a'], { nonce: undefined, sub: 'ada' }, 60);
    expect(await store.get(['code', 'a'])).toStrictEqual({ sub: 'ada' });
  });

  it('lets a single-use write count only when the replicas of the engine have it (STORE_WAIT)', async () => {
    const { store } = create({ wait: { replicas: 1, milliseconds: 1 } });
    await store.put(['code', 'a'], 1, 60);
    const refused = await store.take(['code', 'a']).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(String(refused)).toContain('0 of 1 replicas');
    await expect(store.add(['jti', 'a'], true, 60)).rejects.toThrow(StoreUnavailable);
    const satisfied = create({ wait: { replicas: 0, milliseconds: 1 } }).store;
    expect(await satisfied.add(['jti', 'a'], true, 60)).toBe(true);
    expect(await satisfied.take(['jti', 'a'])).toBe(true);
  });
});

describe('eight replicas at once', () => {
  const ids = Array.from({ length: 200 }, (_, index) => String(index));
  const store = () => create({ name: ['store', '/'] }).store;
  let racers: Racers;
  beforeAll(async () => {
    racers = await startRacers(running.url);
  });
  afterAll(() => racers?.[Symbol.asyncDispose]());

  it('take each of 200 codes once', async () => {
    for (const id of ids) await store().put(['code', id], id, 60);
    expect(await racers.race('take', ids)).toEqual(ids.map(id => [id]));
  });

  it('accept each of 200 assertions once', async () => {
    expect(await racers.race('add', ids)).toEqual(ids.map(() => ['added']));
  });

  it('lose none of the changes of one entry', async () => {
    await racers.race('update', ids);
    for (const id of ids) expect(await store().get(['count', id])).toBe(8);
  });

  it('rotate each of 200 refresh tokens once', async () => {
    const outcomes = await racers.race('refresh', await refreshTokens(store()));
    expect(outcomes.map(each => each.length)).toEqual(ids.map(() => 1));
  });

  it('give one answer to a refresh that all of them get within the grace', async () => {
    const tokens = (await refreshTokens(store())).slice(0, 40);
    const outcomes = await racers.race('refreshWithGrace', tokens);
    expect(outcomes.map(each => [each.length, new Set(each).size])).toEqual(tokens.map(() => [8, 1]));
  });

  async function refreshTokens(kept: Store): Promise<string[]> {
    const sandbox = createTestServer({ store: kept });
    const session = await sandbox.login();
    return Promise.all(ids.map(async () => (await sandbox.tokens({}, session)).refresh_token ?? ''));
  }
});

async function keysOf(name: readonly string[]): Promise<string[]> {
  return (await engine.send('KEYS', `${engine.key(`{${name.join(':')}}`)}*`)) as string[];
}
