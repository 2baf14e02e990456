import { beforeEach, describe, expect, it } from 'vitest';
import { maxCreatedRows, type Row, type Rows } from '../../../src/server/resources/rows.ts';

const values = new Map([['name', 'Pump']]);

type Create = (seed: ReadonlyMap<number, Row>) => Rows;

/** What all rows promise. A new implementation calls this in its own test. */
export function describeRows(name: string, create: Create): void {
  describe(name, () => {
    const seed = new Map([
      [7, { id: 7, name: 'Saddle' }],
      [2, { id: 2, name: 'Bell' }],
    ]);
    let rows: Rows;
    beforeEach(() => {
      rows = create(seed);
    });
    const ids = async () => (await rows.all()).map(({ id }) => id);

    it('start from the seed, in its order', async () => {
      expect(await rows.all()).toEqual([...seed.values()]);
      expect(await rows.get(2)).toEqual({ id: 2, name: 'Bell' });
      expect(await rows.get(1)).toBeUndefined();
      expect(await rows.get(Number.NaN)).toBeUndefined();
    });

    it('give a created row the next id, which is never used twice', async () => {
      expect(await rows.create(values)).toEqual({ id: 8, row: { id: 8, name: 'Pump' } });
      expect(await rows.delete(8)).toBe(true);
      expect(await rows.create(values)).toEqual({ id: 9, row: { id: 9, name: 'Pump' } });
      expect(await ids()).toEqual([7, 2, 9]);
    });

    it('replace a row in its place, and only one that is there', async () => {
      expect(await rows.replace(7, values)).toEqual({ id: 7, name: 'Pump' });
      expect(await rows.replace(3, values)).toBeUndefined();
      expect(await rows.all()).toEqual([{ id: 7, name: 'Pump' }, seed.get(2)]);
    });

    it('delete a row once', async () => {
      expect([await rows.delete(7), await rows.delete(7), await rows.delete(3)]).toEqual([true, false, false]);
      expect(await ids()).toEqual([2]);
    });

    it('return to the seed, and its ids', async () => {
      await rows.create(values);
      await rows.delete(2);
      await rows.reset();
      expect(await rows.all()).toEqual([...seed.values()]);
      expect((await rows.create(values)).id).toBe(8);
    });

    it('let the oldest created row go when full, and keep the seed rows', async () => {
      for (let i = 0; i <= maxCreatedRows; i++) await rows.create(values);
      const kept = await ids();
      expect(kept).toHaveLength(maxCreatedRows + 2);
      expect(kept.slice(0, 4)).toEqual([7, 2, 9, 10]);
    });

    it('count a deleted row no more', async () => {
      for (let i = 0; i < maxCreatedRows; i++) await rows.create(values);
      await rows.delete(10);
      await rows.create(values);
      expect(await rows.get(8)).toEqual({ id: 8, name: 'Pump' });
    });

    it('begin with the id 1 where the seed is empty, and keep values of each type', async () => {
      const all = new Map<string, string | number | boolean>([
        ['text', 'a "text"\n😀'],
        ['number', 0.1],
        ['large', 2 ** 53 - 1],
        ['flag', false],
        ['empty', ''],
      ]);
      const other = create(new Map());
      const { id, row } = await other.create(all);
      expect(id).toBe(1);
      expect(row).toEqual({ id: 1, ...Object.fromEntries(all) });
      expect(await other.get(1)).toEqual(row);
      expect(await create(new Map()).create(new Map())).toMatchObject({ row: {} });
    });

    it('hold a field called __proto__ like any other', async () => {
      const { id, row } = await rows.create(new Map([['__proto__', 'a']]));
      for (const each of [row, await rows.get(id)]) {
        expect(JSON.stringify(each)).toBe('{"id":8,"__proto__":"a"}');
        expect(Object.getPrototypeOf(each)).toBe(Object.prototype);
      }
    });
  });
}
