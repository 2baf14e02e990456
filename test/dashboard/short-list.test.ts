import { expect, it } from 'vitest';
import { shortList, withRow } from '../../src/dashboard/filter-box.ts';
import { createRemoved } from '../../src/dashboard/removed.ts';

/** A list of so many clients, which counts the rows that are made. */
function listed(size: number, query: string) {
  let made = 0;
  const items = Array.from({ length: size }, (_, n) =>
    withRow({ id: `client-${n}` }, () => {
      made++;
      return { id: `client-${n}`, isEven: n % 2 === 0 };
    }),
  );
  const searchable = {
    fields: { is: { values: ['even'], of: ({ row }: (typeof items)[number]) => (row.isEven ? 'even' : undefined) } },
    words: ({ id }: (typeof items)[number]) => [id],
    at: () => 0,
  };
  const options = { items, searchable, query, name: 'clients', placeholder: '' };
  return { list: shortList({ base: '', clock: () => 0 }, options), made: () => made };
}

it('makes the rows that it shows, and no others', () => {
  for (const query of ['', 'client-']) {
    const { list, made } = listed(1000, query);
    expect([list.rows.length, list.more, list.total]).toEqual([200, 800, 1000]);
    expect(made()).toBe(200);
  }
});

it('makes a row once, for a filter that asks for what is in it', () => {
  const { list, made } = listed(1000, 'is:even');
  expect([list.rows.length, list.more]).toEqual([200, 300]);
  expect(made()).toBe(1000);
});

it('asks once who is there, to tell what was deleted', () => {
  let asked = 0;
  const ids = Array.from({ length: 1000 }, (_, n) => `client-${n}`);
  const removed = createRemoved(ids, () => {
    asked++;
    return ids.slice(1);
  });
  expect(removed.ids()).toEqual(['client-0']);
  expect(asked).toBe(1);
});
