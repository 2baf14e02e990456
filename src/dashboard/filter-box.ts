import { createMatcher, parseQuery, type Query, type Searchable } from '../base/events/search.ts';
import type { PageContext } from './page.ts';

interface BoxParts<T> {
  readonly action: string;
  readonly query: string;
  readonly placeholder: string;
  readonly parsed: Query;
  readonly list: Searchable<T>;
  /** Newest first. Suggestions come from the first 300. */
  readonly items: Iterable<T>;
}

/** The search box above a list: `include('../partials/filter', { filter: page.filter })`. */
export function filterBox<T>({ action, query, placeholder, parsed, list, items }: BoxParts<T>) {
  const suggestions = suggestionsOf(list, items);
  return {
    action,
    query,
    placeholder,
    problems: parsed.problems,
    // terms with a match in this list: `client:frontend`
    suggestions,
    chips: chipsOf(suggestions, action, query),
    // `type:`, `claim.<path>:`, in the order of the list
    operators: Object.entries(list.fields).map(([name, { path }]) => (path ? `${name}.<path>:` : `${name}:`)),
  };
}

type Cursor = string | number | undefined;

/** The address of a list, and of the rows that are older than those before the cursor. */
export function listAddress(action: string, query: string, before?: Cursor): string {
  const parameters = new URLSearchParams(query === '' ? {} : { q: query });
  if (before !== undefined) parameters.set('before', String(before));
  return parameters.size === 0 ? action : `${action}?${parameters}`;
}

/** Addresses of the older and the newest page; empty if there is no such page. `next` is where the older page starts. */
export function pageLinks(action: string, asked: { readonly query: string; readonly before?: Cursor }, next: Cursor) {
  return {
    older: next === undefined ? '' : listAddress(action, asked.query, next),
    newest: asked.before === undefined ? '' : listAddress(action, asked.query),
  };
}

const longestKept = 100;

/** The address of the list with one more term. A long query is replaced, because a page has hundreds of such addresses. */
function withTerm(action: string, query: string, term: string): string {
  const isKept = query.length <= longestKept && !query.includes(term);
  const q = isKept ? `${query} ${term}`.trim() : term;
  return `${action}?${new URLSearchParams({ q })}`;
}

/**
 * The address of the list with one more value as a filter, relative to the list for an empty `action`; undefined if the value
 * cannot be typed or is too long.
 */
export function withValue(action: string, query: string, name: string, value: unknown): string | undefined {
  return canBeTyped(value) && value.length <= longestLinked
    ? withTerm(action, query, `${name}:${quoted(value)}`)
    : undefined;
}

const mostChips = 6;
const longestLinked = 60;

function chipsOf(suggestions: readonly string[], action: string, query: string) {
  const names = new Set<string>();
  const firsts = suggestions.filter(term => {
    const name = term.slice(0, term.indexOf(':'));
    const isNew = !names.has(name) && term.length <= longestLinked;
    names.add(name);
    return isNew;
  });
  return firsts.slice(0, mostChips).map(term => ({ term, href: withTerm(action, query, term) }));
}

const mostItems = 300;
const mostOfOne = 12;
const longestValue = 100;

function suggestionsOf<T>({ fields }: Searchable<T>, items: Iterable<T>): string[] {
  const newest = first(items, mostItems);
  return Object.entries(fields).flatMap(([name, { values = [], suggested, of }]) => {
    const recorded = suggested ? newest.flatMap(item => of?.(item, [])).filter(canBeTyped) : [];
    return [...new Set([...values, ...recorded])].slice(0, mostOfOne).map(value => `${name}:${quoted(value)}`);
  });
}

function first<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = [];
  for (const item of items) if (taken.push(item) === count) break;
  return taken;
}

function canBeTyped(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestValue && !/["\p{Cc}]/u.test(value);
}

function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}

interface Options<Item> {
  readonly items: readonly Item[];
  readonly searchable: Searchable<Item>;
  readonly query: string;
  readonly name: string;
  readonly placeholder: string;
  /** Shown whatever the filter says. */
  isKept?(item: Item): boolean;
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
  { base, clock }: Pick<PageContext, 'base' | 'clock'>,
  { items, searchable, query, name, placeholder, isKept = () => false }: Options<Item>,
) {
  const parsed = parseQuery(query, searchable.fields);
  const matches = createMatcher(parsed, searchable, clock());
  const found = items.filter(item => isKept(item) || matches(item));
  const action = `${base}/dashboard/${name}`;
  return {
    filter: filterBox({ action, query, parsed, list: searchable, items, placeholder }),
    rows: found.filter((item, index) => index < mostRows || isKept(item)).map(({ row }): Item['row'] => row),
    total: items.length,
    more: Math.max(0, found.length - mostRows),
  };
}
