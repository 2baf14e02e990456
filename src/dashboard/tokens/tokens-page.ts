import type { Pieces } from '../../turns/in-turns.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import type { Desk } from '../desk.ts';
import { type Filter, parseFilter, tokenSearch } from '../search/filter.ts';
import { type FilterBox, filterBox } from '../search/filter-box.ts';
import { issuedCount } from './issued-count.ts';
import { flowOf } from './token-flow.ts';
import { findIssued, listTokens, mostRows } from './token-list.ts';

/** A one-click filter by type, keeping the rest of the query. */
export interface TypeLink {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
}

/** The list of tokens with its filter. */
export function* tokensPage(options: Desk, query: string, before: number | undefined) {
  const filter = parseFilter(query);
  const list = yield* listTokens(options.events, options.clock(), {
    filter,
    limit: mostRows,
    before,
    flowOf: flowOf(options),
  });
  return {
    query,
    filter: box(options, query, filter),
    rows: list.rows,
    // address of the next page; empty on the last
    older: list.before === undefined ? '' : address(options, query, list.before),
    // whether this is the page live rows are added to
    newestFirst: before === undefined,
    types: typeLinks(options, filter),
    ...amounts(options),
  };
}

function amounts({ events }: DashboardOptions) {
  const kept = events.kept('token.issued') + events.kept('code.issued');
  return { kept, forgotten: issuedCount(events) - kept };
}

function box(options: DashboardOptions, query: string, parsed: Filter): FilterBox {
  return filterBox({
    action: address(options, ''),
    query,
    parsed,
    placeholder: 'user:alice -status:expired claim.roles:admin',
    list: tokenSearch({ statusOf: () => 'valid' }),
    items: options.events.latestIssued(300),
  });
}

/**
 * Where somebody wants to go who pasted a token or the id of something into the filter; undefined for a filter. A token of
 * somebody else is no address: Decode is asked for it, in a body.
 */
export function* pastedThing(desk: Desk, query: string): Pieces<string | undefined> {
  const { events, base } = desk;
  const word = query.trim();
  if (word === '' || /\s/.test(word)) return undefined;
  const issued = events.issued(word) ?? (word.length >= 40 ? yield* findIssued(events, word) : undefined);
  if (issued !== undefined) return `${base}/dashboard/tokens/${issued.tokenId}`;
  const room = roomOf(desk, word);
  return room && `${base}/dashboard/${room}/${word}`;
}

/** The room that has a thing of this id. */
function roomOf({ events, flows, problems }: Desk, id: string): 'requests' | 'flows' | 'problems' | undefined {
  if (/^req_\w+$/.test(id) && events.ofRequest(id).length > 0) return 'requests';
  if (/^flow_\w+$/.test(id) && flows.find(id) !== undefined) return 'flows';
  return /^prb_\w+$/.test(id) && problems.find(id) !== undefined ? 'problems' : undefined;
}

/** Three or five parts of base64url, the first of them JSON. */
const jwtForm = /^\s*(?:bearer\s+)?["']?ey[\w-]+\.[\w-]*\.[\w.-]*["']?\s*$/i;

/** Whether it is a token, of whomever, and no filter. */
export function isToken(query: string): boolean {
  return jwtForm.test(query);
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
