import { createMatcher, type Searchable } from '../../events/search/match.ts';
import { parseQuery } from '../../events/search/query.ts';
import type { Desk } from '../desk.ts';
import { type FilterBox, filterBox } from './filter-box.ts';

/** The entries that match a filter, for a list without older pages. */
export interface ShortList<Row> {
  readonly filter: FilterBox;
  readonly rows: readonly Row[];
  /** The number of entries without the filter. */
  readonly total: number;
  /** The number of matching entries that are not shown. */
  readonly more: number;
}

export interface ShortListOptions<Item> {
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

export function shortList<Row, Item extends { readonly row: Row }>(
  { base, clock }: Pick<Desk, 'base' | 'clock'>,
  { items, searchable, query, name, placeholder }: ShortListOptions<Item>,
): ShortList<Item['row']> {
  const parsed = parseQuery(query, searchable.fields);
  const found = items.filter(createMatcher(parsed, searchable, clock()));
  const action = `${base}/dashboard/${name}`;
  return {
    filter: filterBox({ action, query, parsed, list: searchable, items, placeholder }),
    rows: found.slice(0, mostRows).map(({ row }) => row),
    total: items.length,
    more: Math.max(0, found.length - mostRows),
  };
}
