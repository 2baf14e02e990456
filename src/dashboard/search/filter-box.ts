import type { Searchable } from '../../events/search/match.ts';
import type { Operators, Query } from '../../events/search/query.ts';

/** The box above a list: what `partials/filter.ejs` shows. */
export interface FilterBox {
  /** Of the page, without its query. */
  readonly action: string;
  /** As typed. */
  readonly query: string;
  /** What of it was not understood. */
  readonly problems: readonly string[];
  /** An example of what can be typed. */
  readonly placeholder: string;
  /** Terms that make sense here: `client:frontend`. */
  readonly suggestions: readonly string[];
  /** `type:`, `claim.<path>:`, in the order of the list. */
  readonly operators: readonly string[];
}

type BoxParts<T> = Pick<FilterBox, 'action' | 'query' | 'placeholder'> & {
  readonly parsed: Query;
  readonly list: Searchable<T>;
  /** Newest first; the first hundreds of them are looked through for what to suggest. */
  readonly items: Iterable<T>;
};

/** The box of a list page: `include('../partials/filter', { filter: page.filter })`. */
export function filterBox<T>({ action, query, placeholder, parsed, list, items }: BoxParts<T>): FilterBox {
  return {
    action,
    query,
    placeholder,
    problems: parsed.problems,
    suggestions: suggestionsOf(list, items),
    operators: operatorNames(list.fields),
  };
}

function operatorNames(operators: Operators): string[] {
  return Object.entries(operators).map(([name, { path }]) => (path ? `${name}.<path>:` : `${name}:`));
}

const mostItems = 300;
const mostOfOne = 12;
const longestValue = 100;

/** Terms from closed lists of values and from what was recorded, without those that cannot be typed. */
function suggestionsOf<T>({ fields }: Searchable<T>, items: Iterable<T>): string[] {
  const newest = first(items, mostItems);
  return Object.entries(fields).flatMap(([name, { values = [], suggested, of }]) => {
    const recorded = suggested ? newest.flatMap(item => of(item, [])).filter(canBeTyped) : [];
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
