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
