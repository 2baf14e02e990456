import type { Searchable } from '../../events/search/match.ts';
import type { Operators, Query } from '../../events/search/query.ts';

/** The search box above a list, which `partials/filter.ejs` renders. */
export interface FilterBox {
  /** The address of the page, without its query. */
  readonly action: string;
  /** The query as typed. */
  readonly query: string;
  /** A sentence for each term that was not understood. */
  readonly problems: readonly string[];
  /** An example query. */
  readonly placeholder: string;
  /** Terms with a match in this list: `client:frontend`. */
  readonly suggestions: readonly string[];
  /** One suggestion of each operator, with its address. */
  readonly chips: readonly { readonly term: string; readonly href: string }[];
  /** `type:`, `claim.<path>:`, in the order of the list. */
  readonly operators: readonly string[];
}

type BoxParts<T> = Pick<FilterBox, 'action' | 'query' | 'placeholder'> & {
  readonly parsed: Query;
  readonly list: Searchable<T>;
  /** Newest first. Suggestions come from the first 300. */
  readonly items: Iterable<T>;
};

/** The box of a list page: `include('../partials/filter', { filter: page.filter })`. */
export function filterBox<T>({ action, query, placeholder, parsed, list, items }: BoxParts<T>): FilterBox {
  const suggestions = suggestionsOf(list, items);
  return {
    action,
    query,
    placeholder,
    problems: parsed.problems,
    suggestions,
    chips: chipsOf(suggestions, action, query),
    operators: operatorNames(list.fields),
  };
}

function operatorNames(operators: Operators): string[] {
  return Object.entries(operators).map(([name, { path }]) => (path ? `${name}.<path>:` : `${name}:`));
}

const longestKept = 100;

/** The address of the list with one more term. A long query is replaced, because a page has hundreds of such addresses. */
export function withTerm(action: string, query: string, term: string): string {
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

function chipsOf(suggestions: readonly string[], action: string, query: string): FilterBox['chips'] {
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

/** Terms from fixed lists of values and from recorded values, without those that cannot be typed. */
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
