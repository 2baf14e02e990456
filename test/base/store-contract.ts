import { beforeEach, describe, expect, it } from 'vitest';
import { type Store, updateEntry } from '../../src/base/store.ts';

/** A store under test, and how to let its time pass. */
export interface StoreUnderTest {
  readonly store: Store;
  pass(seconds: number): void | Promise<void>;
}

/** The bounds that every implementation takes. */
export interface StoreBounds {
  readonly maxEntriesPerKind?: number;
  readonly maxWeightPerKind?: number;
}

type Create = (bounds?: StoreBounds) => StoreUnderTest | Promise<StoreUnderTest>;

/** What every `Store` promises. A new implementation calls this in its own test. */
export function describeStore(name: string, create: Create): void {
  describeOperations(name, create);
  describeBound(`the bound of ${name}`, create);
  describeWeight(`the weight of ${name}`, create);
}

function describeOperations(name: string, create: Create): void {
  describe(name, () => {
    let store: Store;
    let pass: StoreUnderTest['pass'];
    beforeEach(async () => {
      ({ store, pass } = await create());
    });

    describe('add', () => {
      it('keeps what was not there, and says so', async () => {
        expect(await store.add(['kind', 'id'], 1, 60)).toBe(true);
        expect(await store.get(['kind', 'id'])).toBe(1);
      });

      it('leaves what is there', async () => {
        await store.put(['kind', 'id'], 1, 60);
        expect(await store.add(['kind', 'id'], 2, 60)).toBe(false);
        expect(await store.get(['kind', 'id'])).toBe(1);
      });

      it('tells one of many callers at once that it was the first', async () => {
        const told = await Promise.all(Array.from({ length: 10 }, (_, index) => store.add(['kind', 'id'], index, 60)));
        expect(told.filter(Boolean)).toHaveLength(1);
      });

      it('adds again what has expired', async () => {
        await store.add(['kind', 'id'], 1, 60);
        await pass(60);
        expect(await store.add(['kind', 'id'], 2, 60)).toBe(true);
      });
    });

    describe('take', () => {
      it('gives the value once', async () => {
        await store.put(['kind', 'id'], 1, 60);
        expect(await store.take(['kind', 'id'])).toBe(1);
        expect(await store.take(['kind', 'id'])).toBeUndefined();
        expect(await store.get(['kind', 'id'])).toBeUndefined();
      });

      it('gives it to one of many at once', async () => {
        await store.put(['kind', 'id'], 'value', 60);
        const taken = await Promise.all(Array.from({ length: 50 }, () => store.take(['kind', 'id'])));
        expect(taken.filter(value => value !== undefined)).toEqual(['value']);
      });

      it('takes nothing else', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await store.put(['kind', 'id2'], 2, 60);
        await store.take(['kind', 'id']);
        expect(await store.get(['kind', 'id2'])).toBe(2);
      });

      it('takes nothing that has expired', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await pass(60);
        expect(await store.take(['kind', 'id'])).toBeUndefined();
      });

      it('can be put again', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await store.take(['kind', 'id']);
        await store.put(['kind', 'id'], 2, 60);
        expect(await store.take(['kind', 'id'])).toBe(2);
      });
    });

    describe('swap', () => {
      it('replaces the value that is there', async () => {
        await store.put(['kind', 'id'], { a: 1 }, 60);
        const before = await store.get(['kind', 'id']);
        expect(await store.swap(['kind', 'id'], before, { a: 2 }, 60)).toBe(true);
        expect(await store.get(['kind', 'id'])).toEqual({ a: 2 });
      });

      it('leaves a value that another one put meanwhile', async () => {
        await store.put(['kind', 'id'], { a: 1 }, 60);
        const before = await store.get(['kind', 'id']);
        await store.put(['kind', 'id'], { a: 2 }, 60);
        expect(await store.swap(['kind', 'id'], before, { a: 3 }, 60)).toBe(false);
        expect(await store.get(['kind', 'id'])).toEqual({ a: 2 });
      });

      it('leaves nothing where the value was taken meanwhile', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await store.take(['kind', 'id']);
        expect(await store.swap(['kind', 'id'], 1, 2, 60)).toBe(false);
        expect(await store.get(['kind', 'id'])).toBeUndefined();
      });

      it('takes undefined as no value, before and after', async () => {
        expect(await store.swap(['kind', 'id'], undefined, 1, 60)).toBe(true);
        expect(await store.swap(['kind', 'id'], undefined, 2, 60)).toBe(false);
        expect(await store.swap(['kind', 'id'], 1, undefined, 60)).toBe(true);
        expect(await store.get(['kind', 'id'])).toBeUndefined();
      });

      it('takes what has expired as no value, and gives the new one its own lifetime', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await pass(60);
        expect(await store.swap(['kind', 'id'], 1, 2, 60)).toBe(false);
        expect(await store.swap(['kind', 'id'], undefined, 2, 60)).toBe(true);
        await pass(59);
        expect(await store.get(['kind', 'id'])).toBe(2);
        await pass(1);
        expect(await store.get(['kind', 'id'])).toBeUndefined();
      });

      it('loses no change of many at once', async () => {
        const add = (count = 0) => count + 1;
        await Promise.all(Array.from({ length: 20 }, () => updateEntry<number>(store, ['kind', 'id'], 60, add)));
        expect(await store.get(['kind', 'id'])).toBe(20);
      });
    });

    it.each([
      ['a text', 'a "text" with\n lines, ü, 😀 and a \0'],
      ['an empty text', ''],
      ['null', null],
      ['false', false],
      ['zero', 0],
      ['a large number', 2 ** 53 - 1],
      ['a fraction', 0.1],
      ['lists in objects', { a: [{ b: [] }, [1, 'two', null, true]], 'c d': {} }],
      ['the names of objects', JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}')],
    ])('gives back %s as it was put', async (_what, value) => {
      await store.put(['kind', 'id'], value, 60);
      expect(await store.get(['kind', 'id'])).toStrictEqual(value);
      expect(await store.take(['kind', 'id'])).toStrictEqual(value);
    });

    it.each(['', ' ', 'a:b', '{a}', '*', 'ü\n', '__proto__', 'x'.repeat(5000)])('takes %j as an id', async id => {
      await store.put(['kind', id], 1, 60);
      await store.put(['kind', `${id}:`], 2, 60);
      expect(await store.get(['kind', id])).toBe(1);
      expect(await store.get(['kind:', id])).toBeUndefined();
      expect(await store.take(['kind', id])).toBe(1);
    });

    it('keeps the value of the moment it was put', async () => {
      const value = { list: [1] };
      await store.put(['kind', 'id'], value, 60);
      value.list.push(2);
      expect(await store.get(['kind', 'id'])).toEqual({ list: [1] });
    });

    it('replaces a value, and its lifetime', async () => {
      await store.put(['kind', 'id'], 1, 600);
      await store.put(['kind', 'id'], 2, 60);
      await pass(59);
      expect(await store.get(['kind', 'id'])).toBe(2);
      await pass(1);
      expect(await store.get(['kind', 'id'])).toBeUndefined();
    });

    it('lists the entries of some kinds, with the oldest of each kind first, and none that has expired', async () => {
      await store.put(['one', 'b'], { a: 1 }, 60);
      await store.put(['one', 'a'], 'text', 90);
      await store.put(['one', 'gone'], 1, 5);
      await store.put(['two', 'c'], 3, 60);
      await store.put(['three', 'd'], 4, 60);
      await pass(5);
      await store.put(['one', 'b'], { a: 2 }, 60);
      const entries = await store.entries(['two', 'one', 'none']);
      expect(entries.map(({ key, value }) => [...key, value])).toEqual([
        ['two', 'c', 3],
        ['one', 'a', 'text'],
        ['one', 'b', { a: 2 }],
      ]);
      const [two, a, b] = entries.map(({ expiresAt }) => expiresAt);
      expect([Number(a) - Number(two), Number(b) - Number(two)]).toEqual([30, 5]);
      expect(await store.entries([])).toEqual([]);
    });

    it('deletes one, and does not mind what is not there', async () => {
      await store.put(['kind', 'a'], 1, 60);
      await store.put(['kind', 'b'], 2, 60);
      await store.delete(['kind', 'a']);
      await store.delete(['kind', 'unknown']);
      expect([await store.get(['kind', 'a']), await store.get(['kind', 'b'])]).toEqual([undefined, 2]);
    });

    it('forgets everything on clear, and goes on', async () => {
      await store.put(['one', 'a'], 1, 60);
      await store.put(['other', 'b'], 2, 60);
      await store.clear();
      expect([await store.get(['one', 'a']), await store.get(['other', 'b'])]).toEqual([undefined, undefined]);
      await store.put(['one', 'a'], 3, 60);
      expect(await store.get(['one', 'a'])).toBe(3);
    });

    it('counts the entries of each kind', async () => {
      await store.put(['one', 'a'], 1, 60);
      await store.put(['one', 'b'], 2, 60);
      await store.put(['other', 'c'], 3, 60);
      const sizes = await store.sizes?.();
      expect([sizes?.get('one'), sizes?.get('other')]).toEqual([2, 1]);
    });

    it('forgets one kind on clear with its name', async () => {
      await store.put(['one', 'a'], 1, 60);
      await store.put(['other', 'b'], 2, 60);
      await store.clear('one');
      expect([await store.get(['one', 'a']), await store.get(['other', 'b'])]).toEqual([undefined, 2]);
    });

    it('keeps ten thousand entries of a kind', async () => {
      await Promise.all(Array.from({ length: 10_000 }, (_, id) => store.put(['kind', String(id)], id, 60)));
      expect(await store.get(['kind', '0'])).toBe(0);
      expect(await store.get(['kind', '9999'])).toBe(9999);
    });
  });
}

function describeBound(name: string, create: Create): void {
  describe(name, () => {
    let store: Store;
    let pass: StoreUnderTest['pass'];
    beforeEach(async () => {
      ({ store, pass } = await create({ maxEntriesPerKind: 3 }));
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
      await pass(5);
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
}

function describeWeight(name: string, create: Create): void {
  describe(name, () => {
    const large = 'x'.repeat(1000);
    const kept = async (store: Store, ids: string) =>
      (await Promise.all([...ids].map(async id => ((await store.get(['pushed_request', id])) ? id : '')))).join('');

    it('is bounded for each kind: of large entries the oldest go long before there are many', async () => {
      const { store } = await create({ maxWeightPerKind: 3500 });
      for (const id of 'abcde') await store.put(['pushed_request', id], { query: large }, 60);
      await store.put(['code', 'a'], { query: large }, 60);
      expect(await kept(store, 'abcde')).toBe('cde');
    });

    it.each([
      ['nested texts', { a: { b: [large, { c: large }] } }],
      ['names', { [large]: 1, [`${large}y`]: { [large]: 2 } }],
      ['numbers', { values: Array.from({ length: 400 }, (_, index) => index) }],
    ])('counts %s', async (_what, value) => {
      const { store } = await create({ maxWeightPerKind: 3500 });
      for (const id of 'abc') await store.put(['pushed_request', id], value, 60);
      expect(await kept(store, 'abc')).toMatch(/^b?c$/);
    });

    it('is less again after take, delete, expiry and replacement', async () => {
      const { store, pass } = await create({ maxWeightPerKind: 3500 });
      await store.put(['pushed_request', 'a'], large, 60);
      await store.put(['pushed_request', 'a'], large, 60);
      await store.put(['pushed_request', 'b'], large, 60);
      await store.put(['pushed_request', 'c'], large, 5);
      await store.take(['pushed_request', 'b']);
      await pass(5);
      expect(await store.get(['pushed_request', 'c'])).toBeUndefined();
      for (const id of 'de') await store.put(['pushed_request', id], large, 60);
      expect(await kept(store, 'abcde')).toBe('ade');
    });

    it('never keeps out the one entry that is put', async () => {
      const { store } = await create({ maxWeightPerKind: 10 });
      await store.put(['pushed_request', 'a'], large, 60);
      expect(await kept(store, 'a')).toBe('a');
    });
  });
}
