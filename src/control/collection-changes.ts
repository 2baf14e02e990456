import { checkCollection } from '../config/collection-entry.ts';
import type { CollectionConfig } from '../config/config.ts';
import { collectionConfig, describeScope } from '../config/entry-defaults.ts';
import type { CollectionEntry } from '../config/sandbox-config.ts';
import type { Change } from './change.ts';
import type { ControlParts } from './control-parts.ts';
import { collectionEntryOf, type Entry } from './entry.ts';
import { nameFindings, type Outcome, ofNamed, patched, refused, refusedFor } from './outcome.ts';

export type CollectionChange = Extract<Change, { readonly kind: `collection.${string}` }>;

/** More than anybody writes by hand. */
const mostCollections = 200;

/** Does it, or says what is wrong with it. Rows stay where fields and seed do. */
export function changeCollection(parts: ControlParts, change: CollectionChange): Outcome {
  if (change.kind === 'collection.create') return createCollection(parts, change.members);
  const { name } = change;
  if (change.kind === 'collection.revert') return revertCollection(parts, name);
  const collection = parts.collections.get(name);
  if (collection === undefined) return refused({ member: 'name', sent: name, expected: 'a collection that is there' });
  const before = collectionEntryOf(collection);
  if (change.kind === 'collection.patch') {
    const entry = patched(before, change.members);
    return refusedFor([], [...nameFindings(entry.name, name), ...findings(entry)]) ?? save(parts, read(entry));
  }
  parts.collections.delete(name);
  return { subject: name, before, after: undefined };
}

function createCollection(parts: ControlParts, members: Entry): Outcome {
  const { all, get } = parts.collections;
  const entry = patched({}, members);
  const isTaken = typeof entry.name === 'string' && get(entry.name) !== undefined;
  const taken = isTaken ? [{ path: ['name'], value: entry.name, expected: 'a name no other collection has' }] : [];
  const refusal = refusedFor(taken, [...nameFindings(entry.name), ...findings(entry)]);
  if (refusal !== undefined) return refusal;
  if (all.length < mostCollections) return save(parts, read(entry));
  return refused({ member: '', expected: `at most ${mostCollections} collections: delete some first` });
}

function findings({ name, ...entry }: Entry) {
  return typeof name === 'string' ? ofNamed(name, checkCollection(name, entry)) : [];
}

/** An entry that has been checked. */
function read({ name, ...entry }: Entry): CollectionConfig {
  return collectionConfig(String(name), entry as unknown as CollectionEntry);
}

function save({ server, collections }: ControlParts, collection: CollectionConfig): Outcome {
  const known = collections.get(collection.name);
  const asked = [collection.readScope, collection.writeScope].filter(scope => scope !== undefined);
  const unknown = [...new Set(asked)].filter(scope => !server.scopes.has(scope));
  for (const scope of unknown) server.scopes.set(scope, describeScope(scope));
  collections.put(collection);
  return {
    subject: collection.name,
    before: known && collectionEntryOf(known),
    after: collectionEntryOf(collection),
    notes: unknown.map(scope => `The scope ${scope} is new: clients that shall ask for it need it in their scope.`),
  };
}

function revertCollection(parts: ControlParts, name: string): Outcome {
  const configured = parts.config.collections.find(each => each.name === name);
  if (configured !== undefined) return save(parts, configured);
  return refused({ member: 'name', sent: name, expected: 'a collection of the configuration' });
}
