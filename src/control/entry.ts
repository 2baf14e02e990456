import { clientSchema } from '../config/client/client-schema.ts';
import type { ClientDefaults, CollectionConfig } from '../config/config.ts';
import { registeredClient, scopeDefinition, testUser } from '../config/entry-defaults.ts';
import type { ClientEntry, UserEntry } from '../config/sandbox-config.ts';
import { defined } from '../defined.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import { isSameJson } from '../oauth/json-parameter.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TestUser } from '../oauth/users/user.ts';

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
  const [method] = methods;
  const written = {
    ...members,
    ...(methods.length === 1 ? { token_endpoint_auth_method: method } : { token_endpoint_auth_methods: methods }),
    audience: audience.length === 1 && !isAudienceList ? audience[0] : audience,
  };
  const means = (entry: Entry) => registeredClient(entry as unknown as ClientEntry, defaults); // members of a client
  return withoutDefaults(written, clientMembers, means);
}

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

/** Leaves out, one after the other, the members without which it means the same. */
function withoutDefaults(
  written: Entry,
  [id = '', ...members]: readonly string[],
  means: (entry: Entry) => unknown,
): Entry {
  const meaning = means(written);
  let entry: Entry = defined(Object.fromEntries([id, ...members].map(name => [name, written[name]])));
  for (const name of members) {
    const { [name]: _, ...rest } = entry;
    if (isSameJson(means(rest), meaning)) entry = rest;
  }
  return entry;
}
