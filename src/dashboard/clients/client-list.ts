import type { Searchable } from '../../base/events/search.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope } from '../../protocol/scope.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { clientPath } from '../clients-and-users.ts';
import { shortList, withRow } from '../filter-box.ts';
import type { FieldTexts } from '../form.ts';
import { type Moment, momentOf } from '../moment.ts';
import { linksOn, type PageContext } from '../page.ts';
import type { Removed } from '../removed.ts';
import { type OpenRow, withForms } from '../row-form.ts';
import { shortGrant } from './client-form.ts';
import { clientRowFields } from './client-row.ts';

interface QuickForm {
  readonly client_id: string;
  readonly kind: 'public' | 'confidential' | 'machine';
  readonly redirect_uris: string;
  readonly scope: string;
  readonly problems: FieldTexts;
}

interface Listed {
  readonly row: ReturnType<typeof rowOf>;
  readonly client: RegisteredClient;
}

const searchable: Searchable<Listed> = {
  fields: {
    type: { values: ['public', 'confidential'], of: ({ row }) => row.type },
    grant: { suggested: true, of: ({ client }) => client.grant_types.map(shortGrant) },
    scope: { suggested: true, of: ({ client }) => parseScope(client.scope) },
    is: {
      values: ['configured', 'changed', 'created', 'registered'],
      of: ({ row }) => row.standing.replace(' itself', ''),
    },
    has: { values: ['problem'], of: ({ row }) => (row.problems > 0 ? 'problem' : undefined) },
  },
  words: ({ client }) => [client.client_id, client.client_name, ...client.redirect_uris],
  at: ({ row }) => row.seen?.seconds ?? 0,
};

interface ClientsShown {
  readonly query: string;
  readonly opened?: OpenRow;
  readonly done?: string;
  readonly quick?: QuickForm;
}

/** The list of clients, and the deleted ones that can be restored. */
export function clientsPage(
  context: PageContext,
  removed: Removed,
  { query, opened = { id: '' }, done = '', quick }: ClientsShown,
) {
  const read = { seen: lastSeen(context), refreshed: refreshes(context) };
  const problems = context.problems.countsByClient();
  const all = [...context.registered()].map(client =>
    withRow({ client }, () => rowOf(context, client, read, problems)),
  );
  const placeholder = 'type:public scope:openid has:problem';
  const isKept = ({ client }: Listed) => client.client_id === opened.id;
  const list = shortList(context, { items: all, searchable, query, name: 'clients', placeholder, isKept });
  const ready = new Set(context.readyClients?.());
  const isFolded = ({ id, seen, problems, standing }: Listed['row']) =>
    list.filter.query === '' &&
    ready.has(id) &&
    id !== opened.id &&
    standing === 'configured' &&
    seen === undefined &&
    problems === 0;
  const place = { list: '/dashboard/clients', base: context.base, query, opened };
  const formsOf = (rows: readonly Listed['row'][], more = {}) =>
    withForms(
      rows,
      ({ id }) => id,
      ({ client }) => clientRowFields(client),
      { ...place, ...more },
    );
  return {
    ...list,
    rows: formsOf(list.rows.filter(row => !isFolded(row))),
    // ready clients that nobody has used or changed would bury the others
    folded: formsOf(list.rows.filter(isFolded), { most: 0 }),
    removed: removed.ids(),
    quick: quick ?? emptyForm,
    done,
    links: linksOn(context, 'clients'),
  };
}

const emptyForm: QuickForm = {
  client_id: '',
  kind: 'public',
  redirect_uris: '',
  scope: 'openid profile email',
  problems: {},
};

function rowOf(
  context: PageContext,
  client: RegisteredClient,
  { seen, refreshed }: { seen: ReturnType<typeof lastSeen>; refreshed: ReturnType<typeof refreshes> },
  problems: ReadonlyMap<string, number>,
) {
  const { client_id, client_name, grant_types } = client;
  const at = seen(client_id);
  return {
    client,
    href: context.base + clientPath(client_id),
    id: client_id,
    name: client_name === client_id ? '' : client_name,
    type: typeOf(client),
    grants: grant_types.map(shortGrant).join(', '),
    seen: at,
    refreshed: refreshed(client_id),
    problems: problems.get(client_id) ?? 0,
    standing: standingOf(context, client),
  };
}

/** The short form as it was sent. */
export function typedQuickForm(typed: URLSearchParams): QuickForm {
  const kind = typed.get('kind');
  return {
    client_id: (typed.get('client_id') ?? '').trim(),
    kind: kind === 'machine' || kind === 'confidential' ? kind : 'public',
    redirect_uris: typed.get('redirect_uris') ?? '',
    scope: typed.get('scope') ?? '',
    problems: {},
  };
}

/** The usual members for this kind of application. The page of the client has all others. */
export function quickMembers({ client_id, kind, redirect_uris, scope }: QuickForm): Readonly<Record<string, unknown>> {
  const uris = redirect_uris.split(/\s+/).filter(uri => uri !== '');
  const secret = kind === 'public' ? {} : { client_secret: `${client_id}-secret` };
  const scopes = scope.trim().replace(/\s+/g, ' ');
  const own = { client_id, ...secret, ...(scopes === '' ? {} : { scope: scopes }) };
  if (kind === 'machine') return { ...own, grant_types: ['client_credentials'] };
  const anywhere = uris.length === 0 ? { loopback_redirects: true } : { redirect_uris: uris };
  return { ...own, grant_types: ['authorization_code', 'refresh_token'], ...anywhere };
}

/** The origin of a client, and whether it was changed. */
export function standingOf({ control, clients }: PageContext, { client_id, origin }: RegisteredClient) {
  if (origin === 'registration') return 'registered itself';
  if (origin === 'metadata_document') return 'described itself';
  if (origin === 'any') return 'not registered';
  if (!clients.some(each => each.client_id === client_id)) return 'created';
  return control.isChanged('client', client_id) ? 'changed' : 'configured';
}

/** The client type (RFC 6749 §2.1). */
export function typeOf(client: RegisteredClient): 'public' | 'confidential' {
  return isPublic(client) ? 'public' : 'confidential';
}

/** The last login request or authenticated request of each client. */
export function lastSeen({ events, clock }: PageContext): (client_id: string) => Moment | undefined {
  const newest = new Map<string, number>();
  for (const type of ['client.authenticated', 'authorization.requested', 'authorization.pushed'] as const) {
    for (const { client_id, at } of events.latest(type, Number.POSITIVE_INFINITY)) {
      if (at > (newest.get(client_id) ?? 0)) newest.set(client_id, at);
    }
  }
  return client_id => {
    const at = newest.get(client_id);
    return at === undefined ? undefined : momentOf(at, clock());
  };
}

/** The number of token refreshes of each client and the time of the last one, in the recorded history. */
export function refreshes({ events, clock }: PageContext) {
  const found = new Map<string, { count: number; at: number }>();
  for (const event of events.latestIssued(Number.POSITIVE_INFINITY)) {
    if (tokenTypeOf(event) !== 'access' || event.parentTokenId === undefined) continue;
    const parent = events.issued(event.parentTokenId);
    if (parent === undefined || tokenTypeOf(parent) !== 'refresh') continue;
    const known = found.get(event.client_id);
    found.set(event.client_id, { count: (known?.count ?? 0) + 1, at: known?.at ?? event.at });
  }
  return (client_id: string) => {
    const known = found.get(client_id);
    return known && { words: `refreshed ${known.count}×`, last: momentOf(known.at, clock()) };
  };
}
