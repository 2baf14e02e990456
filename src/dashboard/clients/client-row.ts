import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { noChange, type RowChange, type RowField } from '../row-form.ts';
import { type ClientForm, formOfClient, type Members, membersOf } from './client-form.ts';

const names = { redirect_uris: 'redirect URIs', scope: 'scopes' } as const;

/** The usual members of a client, for the form below the row. */
export function clientRowFields(client: RegisteredClient): readonly RowField[] {
  const { redirect_uris, grant_types, scope } = client;
  const hasRedirects = redirect_uris.length > 0 || grant_types.some(grant => redirecting.has(grant));
  return [
    ...(hasRedirects
      ? [
          {
            ...({ name: 'redirect_uris', label: 'Redirect URIs (one per line)', kind: 'lines' } as const),
            value: redirect_uris.join('\n'),
          },
        ]
      : []),
    { name: 'scope', label: 'Scopes (space-separated)', kind: 'mono', value: scope },
  ];
}

const redirecting: ReadonlySet<string> = new Set(['authorization_code', 'implicit']);

/** The members that the form below the row changes. */
export function readClientRow(client: RegisteredClient, entry: Members, typed: URLSearchParams): RowChange {
  const form = formOfClient(client, entry);
  const own = Object.keys(names).filter(name => typed.has(name));
  const sent: ClientForm = {
    ...form,
    values: { ...form.values, ...Object.fromEntries(own.map(name => [name, typed.getAll(name)])) },
  };
  const read = membersOf(sent, entry, form.values);
  if ('problems' in read) return { ...noChange, ...read };
  const changed = Object.entries(names).filter(([name]) => Object.hasOwn(read.members, name));
  return { ...noChange, ...read, names: changed.map(([, words]) => words) };
}
