import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import type { Desk } from '../desk.ts';
import { filterBox } from './filter-box.ts';

interface Options<Item> {
  readonly items: readonly Item[];
  readonly searchable: Searchable<Item>;
  readonly query: string;
  /** `clients`: the page at `/dashboard/clients`. */
  readonly name: string;
  readonly placeholder: string;
}

const mostRows = 200;

/** An item whose row is made on first use, because most searches need only the item and a page shows few rows. */
export function withRow<Item extends object, Row>(item: Item, rowOf: () => Row): Item & { readonly row: Row } {
  let made: { readonly row: Row } | undefined;
  return {
    ...item,
    get row() {
      made ??= { row: rowOf() };
      return made.row;
    },
  };
}

/** The entries that match a filter, for a list without older pages. */
export function shortList<Item extends { readonly row: object }>(
  { base, clock }: Pick<Desk, 'base' | 'clock'>,
  { items, searchable, query, name, placeholder }: Options<Item>,
) {
  const parsed = parseQuery(query, searchable.fields);
  const found = items.filter(createMatcher(parsed, searchable, clock()));
  const action = `${base}/dashboard/${name}`;
  return {
    filter: filterBox({ action, query, parsed, list: searchable, items, placeholder }),
    rows: found.slice(0, mostRows).map(({ row }): Item['row'] => row),
    // the number of entries without the filter
    total: items.length,
    // the number of matching entries that are not shown
    more: Math.max(0, found.length - mostRows),
  };
}
