import { demoClient } from '../clients-and-users.ts';
import type { Desk } from '../desk.ts';
import { filterBox, listAddress } from '../search/filter-box.ts';
import { issuedCount } from '../shell.ts';
import { listLogins } from './logins.ts';
import { listTokens } from './token-list.ts';
import { type Filter, parseFilter, tokenSearch } from './token-search.ts';

/** `logins` groups the tokens by login; `list` has one row for each token. */
export type TokensView = 'logins' | 'list';

interface Asked {
  readonly view: TokensView;
  readonly query: string;
  /** Only rows older than the event with this id. */
  readonly before?: number | undefined;
}

/** The tokens of the sandbox in one of two views, with their filter. */
export function* tokensPage(desk: Desk, { view, query, before }: Asked) {
  const { events } = desk;
  const filter = parseFilter(query);
  const list = view === 'logins' ? listLogins(desk, { filter, before }) : listTokens(desk, { filter, before });
  const { rows, before: next } = yield* list;
  const action = pathOf(desk, view);
  const kept = events.kept('token.issued') + events.kept('code.issued');
  return {
    view,
    query,
    filter: filterBox({
      action,
      query,
      parsed: filter,
      placeholder: 'user:alice -status:expired claim.roles:admin',
      list: tokenSearch({ statusOf: () => 'valid' }),
      items: events.latestIssued(300),
    }),
    rows,
    // the address; empty if there is no such page
    older: next === undefined ? '' : listAddress(action, query, next),
    newest: listAddress(action, query),
    otherView: listAddress(pathOf(desk, view === 'list' ? 'logins' : 'list'), query),
    // true on the first page, to which live rows are added
    newestFirst: before === undefined,
    types: typeLinks(filter, action),
    canDemo: desk.access !== 'readonly' && demoClient(desk) !== undefined,
    kept,
    forgotten: issuedCount(events) - kept,
  };
}

/**
 * The page for a token or an id that was pasted into the filter; undefined for a filter. A token of a different issuer has no page;
 * it is decoded from the body of a request.
 */
export function pastedThing(desk: Desk, query: string): string | undefined {
  const { events, base } = desk;
  const word = query.trim();
  if (word === '' || /\s/.test(word)) return undefined;
  const issued = events.issued(word) ?? events.issuedAs(word);
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

const types = [
  ['All', ''],
  ['Access', 'access'],
  ['ID', 'id'],
  ['Refresh', 'refresh'],
  ['Codes', 'code'],
] as const;

/** One-click filters by type, which keep the rest of the query. */
function typeLinks({ terms }: Filter, action: string) {
  const isType = (term: Filter['terms'][number]) => term.field === 'type' && !term.negated;
  const current = terms.find(isType)?.value ?? '';
  const others = terms.filter(term => !isType(term)).map(term => term.text);
  return types.map(([name, type]) => ({
    name,
    href: listAddress(action, (type === '' ? others : [`type:${type}`, ...others]).join(' ')),
    current: type === current,
  }));
}

function pathOf({ base }: Desk, view: TokensView): string {
  return `${base}/dashboard/tokens${view === 'list' ? '/list' : ''}`;
}
