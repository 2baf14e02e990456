import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/storage/store.ts';

/** A store under test, and how to let its time pass. */
export interface StoreUnderTest {
  readonly store: Store;
  pass(seconds: number): void | Promise<void>;
}

/** What every `Store` promises. A new implementation calls this in its own test. */
export function describeStore(name: string, create: () => StoreUnderTest | Promise<StoreUnderTest>): void {
  describe(name, () => {
    let store: Store;
    let pass: StoreUnderTest['pass'];
    beforeEach(async () => {
      ({ store, pass } = await create());
    });

    describe('put and get', () => {
      it.each([['text'], [0], [false], [true], [{ a: [1, { b: null }] }], [[]], [{}], ['']])(
        'keeps %j',
        async value => {
          await store.put(['kind', 'id'], value, 60);
          expect(await store.get(['kind', 'id'])).toEqual(value);
        },
      );

      it('gives undefined for what never was', async () => {
        expect(await store.get(['kind', 'id'])).toBeUndefined();
      });

      it('can be asked again and again', async () => {
        await store.put(['kind', 'id'], 1, 60);
        expect([await store.get(['kind', 'id']), await store.get(['kind', 'id'])]).toEqual([1, 1]);
      });

      it('replaces what was there', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await store.put(['kind', 'id'], 2, 60);
        expect(await store.get(['kind', 'id'])).toBe(2);
      });

      it('keeps kinds apart', async () => {
        await store.put(['one', 'id'], 1, 60);
        await store.put(['other', 'id'], 2, 60);
        expect(await store.get(['one', 'id'])).toBe(1);
        expect(await store.get(['third', 'id'])).toBeUndefined();
      });

      it('does not take one key for another that reads alike', async () => {
        await store.put(['a', 'b:c'], 1, 60);
        await store.put(['a:b', 'c'], 2, 60);
        expect([await store.get(['a', 'b:c']), await store.get(['a:b', 'c'])]).toEqual([1, 2]);
        for (const key of [
          ['a', 'b'],
          ['a:b', 'b:c'],
          ['a', '*'],
          ['a', ''],
        ] as const)
          expect(await store.get(key)).toBeUndefined();
      });

      it.each(['__proto__', 'constructor', 'toString', '', ' ', 'ünï', 'a\0b', 'x'.repeat(10_000)])(
        'takes the id %j as it is',
        async id => {
          expect(await store.get(['kind', id])).toBeUndefined();
          await store.put(['kind', id], 1, 60);
          expect(await store.get(['kind', id])).toBe(1);
        },
      );

      it('keeps the value as it was when it was put', async () => {
        const value = { list: [1] };
        await store.put(['kind', 'id'], value, 60);
        value.list.push(2);
        expect(await store.get(['kind', 'id'])).toEqual({ list: [1] });
      });
    });

    describe('expiry', () => {
      it('comes after so many seconds, not before', async () => {
        await store.put(['kind', 'id'], 1, 10);
        await pass(9);
        expect(await store.get(['kind', 'id'])).toBe(1);
        await pass(1);
        expect(await store.get(['kind', 'id'])).toBeUndefined();
        expect(await store.take(['kind', 'id'])).toBeUndefined();
      });

      it('begins again when the value is put again', async () => {
        await store.put(['kind', 'id'], 1, 10);
        await pass(9);
        await store.put(['kind', 'id'], 2, 10);
        await pass(9);
        expect(await store.get(['kind', 'id'])).toBe(2);
      });

      it('can come earlier than before', async () => {
        await store.put(['kind', 'id'], 1, 100);
        await store.put(['kind', 'id'], 2, 10);
        await pass(10);
        expect(await store.get(['kind', 'id'])).toBeUndefined();
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

      it('can be put again', async () => {
        await store.put(['kind', 'id'], 1, 60);
        await store.take(['kind', 'id']);
        await store.put(['kind', 'id'], 2, 60);
        expect(await store.take(['kind', 'id'])).toBe(2);
      });
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

    it('keeps ten thousand entries of a kind', async () => {
      for (let id = 0; id < 10_000; id++) await store.put(['kind', String(id)], id, 60);
      expect(await store.get(['kind', '0'])).toBe(0);
      expect(await store.get(['kind', '9999'])).toBe(9999);
    });
  });
}
