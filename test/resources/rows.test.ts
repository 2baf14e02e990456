import { expect, it } from 'vitest';
import { createRows, maxCreatedRows } from '../../src/resources/rows.ts';

const values = new Map([['name', 'Pump']]);
const seed = new Map([[1, { id: 1, name: 'Saddle' }]]);

it('lets the oldest created row go when full, and keeps the seed rows', () => {
  const rows = createRows(seed);
  for (let i = 0; i <= maxCreatedRows; i++) rows.create(values);
  expect(rows.all()).toHaveLength(maxCreatedRows + 1);
  expect([1, 2, 3].map(id => rows.get(id)?.id)).toEqual([1, undefined, 3]);
});

it('counts a deleted row no more', () => {
  const rows = createRows(seed);
  for (let i = 0; i < maxCreatedRows; i++) rows.create(values);
  rows.delete(3);
  rows.create(values);
  expect(rows.get(2)).toEqual({ id: 2, name: 'Pump' });
});

it('holds a field called __proto__ like any other', () => {
  const { row } = createRows(new Map()).create(new Map([['__proto__', 'a']]));
  expect(JSON.stringify(row)).toBe('{"id":1,"__proto__":"a"}');
  expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
});
