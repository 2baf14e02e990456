import { defined } from '../../base/defined.ts';
import type { Searchable } from '../../base/events/search.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope } from '../../protocol/scope.ts';
import { clientPath } from '../clients-and-users.ts';
import type { FieldTexts } from '../configure/fault-texts.ts';
import type { Removed } from '../configure/removed.ts';
import type { Desk } from '../desk.ts';
import { shortList, withRow } from '../search/short-list.ts';
import { lastSeen, refreshes, standingOf, typeOf } from './client-facts.ts';
import { shortGrant } from './client-fields.ts';

/** The fields of the short form for a new client. */
export interface QuickForm {
  readonly client_id: string;
  readonly kind: 'public' | 'confidential' | 'machine';
  readonly redirect_uris: string;
  readonly scope: string;
  /** Texts by field; the form has no field for some. */
  readonly faults: FieldTexts;
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

/** The list of clients, and the deleted ones that can be restored. */
export function clientsPage(
  desk: Desk,
  removed: Removed,
  { query, done, quick }: { readonly query: string; readonly done: string; readonly quick?: QuickForm },
) {
  const read = { seen: lastSeen(desk), refreshed: refreshes(desk) };
  const problems = desk.problems.countsByClient();
  const all = [...desk.registered()].map(client => withRow({ client }, () => rowOf(desk, client, read, problems)));
  const placeholder = 'type:public scope:openid has:problem';
  return {
    ...shortList(desk, { items: all, searchable, query, name: 'clients', placeholder }),
    removed: removed.ids(),
    quick: quick ?? emptyForm,
    // one sentence that tells the last change
    done,
  };
}

const emptyForm: QuickForm = {
  client_id: '',
  kind: 'public',
  redirect_uris: '',
  scope: 'openid profile email',
  faults: {},
};

function rowOf(
  desk: Desk,
  client: RegisteredClient,
  { seen, refreshed }: { seen: ReturnType<typeof lastSeen>; refreshed: ReturnType<typeof refreshes> },
  problems: ReadonlyMap<string, number>,
) {
  const { client_id, client_name, grant_types } = client;
  const at = seen(client_id);
  return {
    href: desk.base + clientPath(client_id),
    id: client_id,
    name: client_name === client_id ? '' : client_name,
    type: typeOf(client),
    grants: grant_types.map(shortGrant).join(', '),
    ...defined({ seen: at, refreshed: refreshed(client_id) }),
    problems: problems.get(client_id) ?? 0,
    standing: standingOf(desk, client),
  };
}
