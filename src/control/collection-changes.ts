import { checkCollection } from '../config/collection-entry.ts';
import type { CollectionConfig } from '../config/config.ts';
import { collectionConfig, describeScope } from '../config/entry-defaults.ts';
import type { CollectionEntry } from '../config/sandbox-config.ts';
import type { ControlParts } from './control-parts.ts';
import { collectionEntryOf } from './entry.ts';
import type { NamedEntries } from './named-changes.ts';

/** The collections of the sample backend, to be changed. Rows stay where fields and seed do. */
export function namedCollections({ server, collections, config }: ControlParts): NamedEntries<CollectionConfig> {
  const { all, get, put, delete: take } = collections;
  return {
    ...{ what: 'collection', most: 200, count: all.length, get },
    configured: name => config.collections.find(each => each.name === name),
    write: collectionEntryOf,
    check: checkCollection,
    // it has been checked
    read: (name, entry) => collectionConfig(name, entry as unknown as CollectionEntry),
    put(collection) {
      const asked = [collection.readScope, collection.writeScope].filter(scope => scope !== undefined);
      const unknown = [...new Set(asked)].filter(scope => !server.scopes.has(scope));
      for (const scope of unknown) server.scopes.set(scope, describeScope(scope));
      put(collection);
      return unknown.map(scope => `The scope ${scope} is new: clients that shall ask for it need it in their scope.`);
    },
    remove: name => void take(name),
  };
}
