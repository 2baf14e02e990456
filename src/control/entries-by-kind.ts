import type { CollectionConfig } from '../config/config.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import { isSameJson } from '../oauth/json-parameter.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { ControlParts } from './control-parts.ts';
import { clientEntryOf, collectionEntryOf, type Entry, type EntryKind, scopeEntryOf, userEntryOf } from './entry.ts';
import type { EntryList } from './outcome.ts';

/** All entries of one kind: those there are now, and those of the configuration. */
export interface EntriesOfKind {
  /** Where the configuration has them. */
  readonly list: EntryList;
  ids(): readonly string[];
  /** As one would write it; undefined for an unknown one. */
  entry(id: string): Entry | undefined;
  /** Whether it differs from the configuration. */
  isChanged(id: string): boolean;
}

export function entriesByKind(parts: ControlParts): Readonly<Record<EntryKind, EntriesOfKind>> {
  const { server, config, collections } = parts;
  return {
    client: ofKind<RegisteredClient>({
      ...{ list: 'clients', now: server.clients, idOf: ({ client_id }) => client_id },
      configured: () => config.clients,
      write: client => clientEntryOf(client, config.clientDefaults),
    }),
    user: ofKind<TestUser>({
      ...{ list: 'users', now: server.users, idOf: ({ sub }) => sub },
      configured: () => config.users,
      write: userEntryOf,
    }),
    scope: ofKind<ScopeDefinition>({
      ...{ list: 'scopes', now: server.scopes, idOf: ({ name }) => name },
      configured: () => config.scopes,
      write: scopeEntryOf,
    }),
    collection: ofKind<CollectionConfig>({
      ...{ list: 'collections', now: collections, idOf: ({ name }) => name },
      configured: () => config.collections,
      write: collectionEntryOf,
    }),
  };
}

interface Kind<T extends object> {
  readonly list: EntryList;
  readonly now: { keys(): Iterable<string>; get(id: string): T | undefined };
  readonly idOf: (one: T) => string;
  readonly configured: () => readonly T[];
  readonly write: (one: T) => Entry;
}

function ofKind<T extends object>({ list, now, idOf, configured, write }: Kind<T>): EntriesOfKind {
  // a configuration that was read again has other objects; until then each is written once
  const written = new WeakMap<T, Entry>();
  function configuredEntry(one: T): Entry {
    const entry = written.get(one) ?? write(one);
    written.set(one, entry);
    return entry;
  }
  function entry(id: string): Entry | undefined {
    const one = now.get(id);
    return one && write(one);
  }
  return {
    list,
    ids: () => [...now.keys()],
    entry,
    isChanged(id) {
      const one = configured().find(each => idOf(each) === id);
      // the very object of the start needs no comparison, which writes it down twice
      if (one !== undefined && one === now.get(id)) return false;
      return !isSameJson(entry(id), one && configuredEntry(one));
    },
  };
}
