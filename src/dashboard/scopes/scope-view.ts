import type { Searchable } from '../../base/events/search.ts';
import { identityScopes, parseScope, type ScopeDefinition } from '../../protocol/scope.ts';
import { scopeDefinition } from '../../sandbox/config/entry-defaults.ts';
import { clientPath } from '../clients-and-users.ts';
import { shortList, withRow } from '../filter-box.ts';
import type { FieldTexts } from '../form.ts';
import type { PageContext } from '../page.ts';
import { apiEndpoints } from '../sample-api-pages.ts';

/** The path of a scope's page, below that of the issuer. The name may have any visible character. */
export function scopePath(name: string): string {
  return `/dashboard/scopes/${encodeURIComponent(name)}`;
}

/** The scope as it is now; undefined for an unknown name. */
export function scopeNamed({ control }: PageContext, name: string): ScopeDefinition | undefined {
  const entry = control.entry('scope', name);
  if (entry === undefined) return undefined;
  const { name: _, ...members } = entry;
  return scopeDefinition(name, members); // the entry was checked when it was made
}

/** Each field as text. */
export interface ScopeFields {
  readonly description: string;
  /** Names, separated by spaces. */
  readonly claims: string;
  /** JSON. */
  readonly access_token_claims: string;
}

export function scopeForm({ description, claims, access_token_claims }: ScopeDefinition): ScopeFields {
  const json = JSON.stringify(access_token_claims, undefined, 2);
  return { description, claims: claims.join(' '), access_token_claims: json };
}

type NewScope = Omit<ScopeFields, 'access_token_claims'> & { readonly name: string };

export function newScopeForm(typed: URLSearchParams): NewScope {
  const [name = '', description = '', claims = ''] = ['name', 'description', 'claims'].map(
    each => typed.get(each) ?? '',
  );
  return { name, description, claims };
}

interface Listed {
  readonly row: ReturnType<typeof rowOf>;
  readonly name: string;
}

const searchable: Searchable<Listed> = {
  fields: {
    client: { suggested: true, of: ({ row }) => row.clients.map(({ id }) => id) },
    claim: { of: ({ row }) => row.claims },
    is: { values: ['configured', 'changed', 'created', 'standard'], of: ({ row }) => row.standing },
  },
  words: ({ name, row }) => [name, row.description],
  at: () => 0,
};

interface ListShown {
  readonly query: string;
  readonly done: string;
  readonly removed: readonly string[];
  readonly form?: NewScope;
  readonly problems?: FieldTexts;
}

/** The list of scopes, and the form for a new one. */
export function scopesPage(context: PageContext, { query, done, removed, form, problems = {} }: ListShown) {
  const items = context.control.ids('scope').map(name => withRow({ name }, () => rowOf(context, name)));
  const placeholder = 'products client:frontend claim:email';
  const list = shortList(context, { items, searchable, query, name: 'scopes', placeholder });
  return {
    ...list,
    hasStatus: list.rows.some(({ isChanged }) => isChanged),
    removed,
    form: form ?? newScopeForm(new URLSearchParams()),
    problems,
    done,
  };
}

function rowOf(context: PageContext, name: string) {
  const { description = '', claims = [], access_token_claims = {} } = scopeNamed(context, name) ?? {};
  const standing = standingOf(context, name);
  return {
    name,
    href: context.base + scopePath(name),
    description,
    claims: [...claims, ...Object.keys(access_token_claims)],
    token: tokenOf.get(name) ?? '',
    calls: callsOf(context, name),
    clients: clientsOf(context, name),
    standing,
    isChanged: standing === 'changed' || standing === 'created',
  };
}

/** The token that a scope of OpenID Connect adds. */
const tokenOf: ReadonlyMap<string, string> = new Map([
  ['openid', 'an ID token'],
  ['offline_access', 'a refresh token'],
]);

/** The calls of the sample API that need it: `GET /api/products`. */
function callsOf(context: PageContext, name: string): readonly string[] {
  const calls = apiEndpoints(context).filter(({ scope }) => scope === name);
  return calls.map(({ method, path }) => `${method} ${path}`);
}

function clientsOf({ registered, base }: PageContext, name: string) {
  return [...registered()]
    .filter(({ scope }) => parseScope(scope).includes(name))
    .map(({ client_id }) => ({ id: client_id, href: base + clientPath(client_id) }));
}

function standingOf({ control, scopes }: PageContext, name: string) {
  if (!scopes.some(each => each.name === name)) return 'created';
  if (control.isChanged('scope', name)) return 'changed';
  return identityScopes.includes(name) ? 'standard' : 'configured';
}

/** The page of one scope. */
export function scopeView(context: PageContext, { name }: ScopeDefinition, form: ScopeFields, problems: FieldTexts) {
  const { control, registered } = context;
  const row = rowOf(context, name);
  const allowed = new Set(row.clients.map(({ id }) => id));
  return {
    ...row,
    form,
    problems,
    others: [...registered()].map(({ client_id }) => client_id).filter(id => !allowed.has(id)),
    needed: neededWords(row),
    lines: {
      typescript: control.configurationLines('scope', name),
      json: control.configurationLines('scope', name, 'json'),
    },
  };
}

/** Why it cannot be deleted; empty where it can. */
function neededWords({ name, clients, calls }: ReturnType<typeof rowOf>): string {
  if (identityScopes.includes(name)) return 'OpenID Connect defines this scope, so it stays.';
  if (calls.length > 0) return 'The sample API asks for this scope, so it stays.';
  const [first, ...more] = clients.map(({ id }) => id);
  if (first === undefined) return '';
  return `To delete this scope, take it away from ${more.length === 0 ? first : `${first} and ${more.length} more`} first.`;
}
