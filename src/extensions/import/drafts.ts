import type { JsonValue } from '../../sandbox/config/json.ts';
import type { ClientEntry, SandboxConfig, ScopeEntry, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { fitting, tellArgon2 } from './fit.ts';
import type { ExportPart } from './members.ts';

/** An entry of the new file with its place in the export. */
export interface Drafted<Entry> {
  readonly found: ExportPart;
  readonly entry: Entry;
}

/** The same for a scope. */
export interface DraftedScope extends Drafted<ScopeEntry> {
  readonly name: string;
}

/** The entries of a new file. */
export interface DraftedEntries {
  readonly clients?: readonly Drafted<ClientEntry>[];
  readonly users?: readonly Drafted<UserEntry>[];
  readonly scopes?: readonly DraftedScope[];
}

/** Values of claims by name, made of JSON. */
export type ClaimValues = Readonly<Record<string, JsonValue | undefined>>;

/** Makes the entries such that a start accepts them; what does not fit is told. Empty lists are left out. */
export function configOf(found: ExportPart, { clients = [], users = [], scopes = [] }: DraftedEntries): SandboxConfig {
  const fit = fitting(found.notes);
  const keptUsers = users.flatMap(each => fit.user(each.entry, each.found.path) ?? []);
  tellArgon2(found, keptUsers);
  const keptClients = clients.flatMap(each => fit.client(each.entry, each.found.path) ?? []);
  const keptScopes = scopes.flatMap(({ name, entry, found: { path } }) => {
    const kept = fit.scope(name, entry, path);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return {
    ...(keptClients.length > 0 && { clients: keptClients }),
    ...(keptUsers.length > 0 && { users: keptUsers }),
    ...(keptScopes.length > 0 && { scopes: Object.fromEntries(keptScopes) }),
  };
}

/** A user of the new file. Claims without a value are left out; `access` names those that access tokens have, too. */
export function userOf(
  { sub, username, ...password }: Pick<UserEntry, 'sub' | 'username' | 'password' | 'password_hash'>,
  claims: ClaimValues,
  access: ReadonlySet<string> = new Set(),
): UserEntry {
  const given = Object.entries(claims).filter(([, value]) => value !== undefined && value !== '');
  const ofAccess = given.filter(([name]) => access.has(name));
  return {
    sub,
    ...(username !== undefined && username !== sub && { username }),
    ...password,
    // made of JSON; `fit` looks at the values
    ...(given.length > 0 && { claims: Object.fromEntries(given) as NonNullable<UserEntry['claims']> }),
    ...(ofAccess.length > 0 && {
      access_token_claims: Object.fromEntries(ofAccess) as NonNullable<UserEntry['access_token_claims']>,
    }),
  };
}
