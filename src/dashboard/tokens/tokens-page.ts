import type { Pieces } from '../../turns/in-turns.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import type { Desk } from '../desk.ts';
import { demoClient } from '../home/demo.ts';
import { type Filter, parseFilter, tokenSearch } from '../search/filter.ts';
import { type FilterBox, filterBox } from '../search/filter-box.ts';
import { issuedCount } from './issued-count.ts';
import { type LoginList, listLogins } from './logins.ts';
import { flowOf } from './token-flow.ts';
import { findIssued, listTokens, mostRows, type TokenList } from './token-list.ts';

/** A one-click filter by type, keeping the rest of the query. */
export interface TypeLink {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
}

/** `logins` groups the tokens by login; `list` has one row for each token. */
export type TokensView = 'logins' | 'list';

/** The view, the filter and the page of the token list. */
export interface TokensAsked {
  readonly view: TokensView;
  readonly query: string;
  /** Only rows older than the event with this id. */
  readonly before?: number | undefined;
}

/** The tokens of the sandbox in one of two views, with their filter. */
export function* tokensPage(desk: Desk, { view, query, before }: TokensAsked) {
  const filter = parseFilter(query);
  const rows = yield* rowsOf(desk, { view, filter, before });
  const address = addressOf(desk, view);
  return {
    view,
    query,
    filter: box(desk, { action: address(''), query, parsed: filter }),
    rows: rows.rows,
    // addresses; empty if there is no such page
    older: rows.before === undefined ? '' : address(query, rows.before),
    newest: address(query),
    otherView: addressOf(desk, view === 'list' ? 'logins' : 'list')(query),
    // true on the first page, to which live rows are added
    newestFirst: before === undefined,
    types: typeLinks(filter, address),
    canDemo: desk.access !== 'readonly' && demoClient(desk) !== undefined,
    ...amounts(desk),
  };
}

interface Asked extends Pick<TokensAsked, 'view' | 'before'> {
  readonly filter: Filter;
}

function* rowsOf(desk: Desk, { view, filter, before }: Asked): Pieces<TokenList | LoginList> {
  if (view === 'logins') return yield* listLogins(desk, { filter, before });
  const asked = { filter, limit: mostRows, before, flowOf: flowOf(desk) };
  return yield* listTokens(desk.events, desk.clock(), asked);
}

function amounts({ events }: DashboardOptions) {
  const kept = events.kept('token.issued') + events.kept('code.issued');
  return { kept, forgotten: issuedCount(events) - kept };
}

function box(
  desk: DashboardOptions,
  asked: Pick<Parameters<typeof filterBox>[0], 'action' | 'query' | 'parsed'>,
): FilterBox {
  return filterBox({
    ...asked,
    placeholder: 'user:alice -status:expired claim.roles:admin',
    list: tokenSearch({ statusOf: () => 'valid' }),
    items: desk.events.latestIssued(300),
  });
}

/**
 * The page for a token or an id that was pasted into the filter; undefined for a filter. A token of a different issuer has no page;
 * it is decoded from the body of a request.
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

/** The section of the dashboard that has an entry with this id. */
function roomOf({ events, flows, problems }: Desk, id: string): 'requests' | 'flows' | 'problems' | undefined {
  if (/^req_\w+$/.test(id) && events.ofRequest(id).length > 0) return 'requests';
  if (/^flow_\w+$/.test(id) && flows.find(id) !== undefined) return 'flows';
  return /^prb_\w+$/.test(id) && problems.find(id) !== undefined ? 'problems' : undefined;
}

/** Three or five base64url parts, the first of which is JSON. */
const jwtForm = /^\s*(?:bearer\s+)?["']?ey[\w-]+\.[\w-]*\.[\w.-]*["']?\s*$/i;

/** Whether the text is a token of any issuer, not a filter. */
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

type Address = (query: string, before?: number) => string;

function typeLinks({ terms }: Filter, address: Address): TypeLink[] {
  const isType = (term: Filter['terms'][number]) => term.field === 'type' && !term.negated;
  const current = terms.find(isType)?.value ?? '';
  const others = terms.filter(term => !isType(term)).map(term => term.text);
  return types.map(([name, type]) => ({
    name,
    href: address((type === '' ? others : [`type:${type}`, ...others]).join(' ')),
    current: type === current,
  }));
}

function addressOf({ base }: DashboardOptions, view: TokensView): Address {
  return (query, before) => {
    const parameters = new URLSearchParams();
    if (query !== '') parameters.set('q', query);
    if (before !== undefined) parameters.set('before', String(before));
    const path = `${base}/dashboard/tokens${view === 'list' ? '/list' : ''}`;
    return parameters.size === 0 ? path : `${path}?${parameters}`;
  };
}
