import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/text/record.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import type { ScopeDefinition } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { clientSchema } from '../config/client/client-schema.ts';
import type { ClientDefaults, CollectionConfig } from '../config/config.ts';
import { registeredClient, scopeDefinition, testUser } from '../config/entry-defaults.ts';
import type { ClientEntry, UserEntry } from '../config/sandbox-config.ts';

/**
 * Kinds of entries: the list in the configuration, the member with the id, and whether that id is the key of the list.
 */
export const entryKinds = {
  client: { list: 'clients', id: 'client_id', isByName: false },
  user: { list: 'users', id: 'sub', isByName: false },
  scope: { list: 'scopes', id: 'name', isByName: true },
  collection: { list: 'collections', id: 'name', isByName: true },
} as const;

/** A kind of entry that can be changed at run time. */
export type EntryKind = keyof typeof entryKinds;

/** An object of `clients.config.ts`. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * The written form of a client, without members at their defaults. Reading the entry restores them, so the client is
 * the same.
 */
export function clientEntryOf(client: RegisteredClient, defaults: ClientDefaults): Entry {
  const { origin: _, token_endpoint_auth_methods: methods, audience, isAudienceList, ...members } = client;
  const kept = writtenClients.get(client);
  if (kept?.defaults === defaults) return kept.entry;
  const [method] = methods;
  const written = {
    ...members,
    ...(methods.length === 1 ? { token_endpoint_auth_method: method } : { token_endpoint_auth_methods: methods }),
    audience: audience.length === 1 && !isAudienceList ? audience[0] : audience,
  };
  const means = (entry: Entry) => registeredClient(entry as unknown as ClientEntry, defaults); // members of a client
  const entry = withoutDefaults(written, clientMembers, means, derivedMembers);
  writtenClients.set(client, { defaults, entry });
  return entry;
}

/** Clients are replaced and never changed, so each is written once for the same defaults: a list of thousands takes long. */
const writtenClients = new WeakMap<RegisteredClient, { readonly defaults: ClientDefaults; readonly entry: Entry }>();

/** Members whose default follows from other members. */
const derivedMembers = ['response_types', 'token_endpoint_auth_method', 'token_endpoint_auth_methods', 'require_pkce'];

/** The written form of a user, without claims that belong to a single login. */
export function userEntryOf({ unscoped_claims: _, isVisitor: __, ...user }: TestUser): Entry {
  return withoutDefaults(user, userMembers, entry => testUser(entry as unknown as UserEntry));
}

/** The same for a scope, with its name within: what is said of it beyond what it would mean anyway. */
export function scopeEntryOf(scope: ScopeDefinition): Entry {
  const { name } = scope;
  return withoutDefaults({ ...scope }, scopeMembers, ({ name: _, ...entry }) => scopeDefinition(name, entry));
}

/** The same for a collection, with its name within. */
export function collectionEntryOf({ name, fields, seed, ...members }: CollectionConfig): Entry {
  const written = Object.entries(fields).map(([field, { type, required }]) => [
    field,
    required ? type : { type, required },
  ]);
  return { name, ...members, fields: Object.fromEntries(written), ...(seed.length === 0 ? {} : { seed }) };
}

/** In the order in which one writes them; the first is needed. */
const clientMembers: readonly string[] = Object.keys(clientSchema.entries);
const scopeMembers = ['name', 'description', 'claims', 'access_token_claims'];
const userMembers = ['sub', 'username', 'password', 'password_hash', 'claims', 'access_token_claims'];

/**
 * Leaves out the members without which it means the same: those that the id alone would mean, and those derived from others.
 * Few tries, because each reads the whole entry.
 */
function withoutDefaults(
  written: Entry,
  [id = '', ...members]: readonly string[],
  means: (entry: Entry) => unknown,
  derived: readonly string[] = [],
): Entry {
  const meaning = means(written);
  let entry: Entry = defined(Object.fromEntries([id, ...members].map(name => [name, written[name]])));
  const bare = means({ [id]: written[id] });
  const usual = Object.keys(entry).filter(name => name !== id && isSameJson(written[name], memberOf(bare, name)));
  const tries = [[...usual, ...derived], usual, ...derived.map(name => [name])];
  for (const left of tries) {
    if (left.every(name => entry[name] === undefined)) continue;
    const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => !left.includes(name)));
    if (isSameJson(means(rest), meaning)) entry = rest;
  }
  return entry;
}

function memberOf(meaning: unknown, name: string): unknown {
  return isRecord(meaning) ? meaning[name] : undefined;
}
