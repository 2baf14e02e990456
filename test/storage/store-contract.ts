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

    it('forgets one kind on clear with its name', async () => {
      await store.put(['one', 'a'], 1, 60);
      await store.put(['other', 'b'], 2, 60);
      await store.clear('one');
      expect([await store.get(['one', 'a']), await store.get(['other', 'b'])]).toEqual([undefined, 2]);
    });

    it('keeps ten thousand entries of a kind', async () => {
      for (let id = 0; id < 10_000; id++) await store.put(['kind', String(id)], id, 60);
      expect(await store.get(['kind', '0'])).toBe(0);
      expect(await store.get(['kind', '9999'])).toBe(9999);
    });
  });
}
