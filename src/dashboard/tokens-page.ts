import type { DashboardOptions } from './dashboard-options.ts';
import { type Filter, parseFilter } from './filter.ts';
import type { TokensPage, TypeLink } from './pages.ts';
import { findIssued, listTokens, mostRows } from './token-list.ts';

export function tokensPage(options: DashboardOptions, query: string, before: number | undefined): TokensPage {
  const filter = parseFilter(query);
  const list = listTokens(options.events, options.clock(), { filter, limit: mostRows, before });
  return {
    query,
    problems: filter.problems,
    rows: list.rows,
    older: list.before === undefined ? '' : address(options, query, list.before),
    newestFirst: before === undefined,
    types: typeLinks(options, filter),
  };
}

/** Where somebody wants to go who pasted a token or an id into the filter; undefined for a filter. */
export function pastedToken({ events, base }: DashboardOptions, query: string): string | undefined {
  const word = query.trim();
  if (word === '' || /\s/.test(word)) return undefined;
  const issued = events.issued(word) ?? (word.length >= 40 ? findIssued(events, word) : undefined);
  return issued && `${base}/dashboard/tokens/${issued.tokenId}`;
}

const types = [
  ['All', ''],
  ['Access', 'access'],
  ['ID', 'id'],
  ['Refresh', 'refresh'],
  ['Codes', 'code'],
] as const;

function typeLinks(options: DashboardOptions, { terms }: Filter): TypeLink[] {
  const isType = (term: Filter['terms'][number]) => term.field === 'type' && !term.negated;
  const current = terms.find(isType)?.value ?? '';
  const others = terms.filter(term => !isType(term)).map(term => term.text);
  return types.map(([name, type]) => ({
    name,
    href: address(options, (type === '' ? others : [`type:${type}`, ...others]).join(' ')),
    current: type === current,
  }));
}

function address({ base }: DashboardOptions, query: string, before?: number): string {
  const parameters = new URLSearchParams();
  if (query !== '') parameters.set('q', query);
  if (before !== undefined) parameters.set('before', String(before));
  return `${base}/dashboard/tokens${parameters.size === 0 ? '' : `?${parameters}`}`;
}
