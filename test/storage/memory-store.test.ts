import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStore, type MemoryStoreOptions } from '../../src/storage/memory-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { describeStore } from './store-contract.ts';

function create(options: Partial<MemoryStoreOptions> = {}) {
  let time = 1_700_000_000;
  const store = createMemoryStore({ clock: () => time, ...options });
  return {
    store,
    pass(seconds: number) {
      time += seconds;
    },
  };
}

describeStore('the memory store', create);

describe('the bound of the memory store', () => {
  let store: Store;
  let pass: (seconds: number) => void;
  beforeEach(() => {
    ({ store, pass } = create({ maxEntriesPerKind: 3 }));
  });

  const fill = async (kind: string, ids: string, lifetime = 60) => {
    for (const id of ids) await store.put([kind, id], id, lifetime);
  };
  const kept = async (kind: string, ids: string) => {
    const values = await Promise.all([...ids].map(id => store.get<string>([kind, id])));
    return values.filter(value => value !== undefined).join('');
  };

  it('drops the oldest of the same kind', async () => {
    await fill('code', 'abcd');
    expect(await kept('code', 'abcd')).toBe('bcd');
  });

  it('spares the other kinds', async () => {
    await fill('session', 'ab');
    await fill('code', 'abcdefgh');
    expect(await kept('session', 'ab')).toBe('ab');
  });

  it('drops an expired one before one that lives', async () => {
    await fill('code', 'a');
    await fill('code', 'b', 5);
    await fill('code', 'c');
    pass(5);
    await fill('code', 'd');
    expect(await kept('code', 'abcd')).toBe('acd');
  });

  it('counts a replaced entry as the newest, and once', async () => {
    await fill('code', 'abcaad');
    expect(await kept('code', 'abcd')).toBe('cad'.split('').sort().join(''));
  });

  it('has room again after take and delete', async () => {
    await fill('code', 'abc');
    await store.take(['code', 'b']);
    await store.delete(['code', 'c']);
    await fill('code', 'de');
    expect(await kept('code', 'abcde')).toBe('ade');
  });
});

describe('the weight of the memory store', () => {
  const large = 'x'.repeat(1000);
  const kept = async (store: Store, ids: string) =>
    (await Promise.all([...ids].map(async id => ((await store.get(['pushed_request', id])) ? id : '')))).join('');

  it('is bounded for each kind: of large entries the oldest go long before there are many', async () => {
    const { store } = create({ maxWeightPerKind: 3500 });
    for (const id of 'abcde') await store.put(['pushed_request', id], { query: large }, 60);
    await store.put(['code', 'a'], { query: large }, 60);
    expect(await kept(store, 'abcde')).toBe('cde');
  });

  it.each([
    ['nested texts', { a: { b: [large, { c: large }] } }],
    ['names', { [large]: 1, [`${large}y`]: { [large]: 2 } }],
    ['numbers', { values: Array.from({ length: 400 }, (_, index) => index) }],
  ])('counts %s', async (_what, value) => {
    const { store } = create({ maxWeightPerKind: 3500 });
    for (const id of 'abc') await store.put(['pushed_request', id], value, 60);
    expect(await kept(store, 'abc')).toMatch(/^b?c$/);
  });

  it('is less again after take, delete, expiry and replacement', async () => {
    const { store, pass } = create({ maxWeightPerKind: 3500 });
    await store.put(['pushed_request', 'a'], large, 60);
    await store.put(['pushed_request', 'a'], large, 60);
    await store.put(['pushed_request', 'b'], large, 60);
    await store.put(['pushed_request', 'c'], large, 5);
    await store.take(['pushed_request', 'b']);
    pass(5);
    expect(await store.get(['pushed_request', 'c'])).toBeUndefined();
    for (const id of 'de') await store.put(['pushed_request', id], large, 60);
    expect(await kept(store, 'abcde')).toBe('ade');
  });

  it('never keeps out the one entry that is put', async () => {
    const { store } = create({ maxWeightPerKind: 10 });
    await store.put(['pushed_request', 'a'], large, 60);
    expect(await kept(store, 'a')).toBe('a');
  });
});
