import { parseScope, type ScopeDefinition } from '../../protocol/scope.ts';
import { standardScopes } from '../config/claims.ts';
import { checkCollection } from '../config/collection-entry.ts';
import type { CollectionConfig } from '../config/config.ts';
import { collectionConfig, describeScope, scopeDefinition } from '../config/entry-defaults.ts';
import type { Finding } from '../config/problem.ts';
import type { CollectionEntry } from '../config/sandbox-config.ts';
import { checkScope } from '../config/scope-entry.ts';
import { type EntryRules, renamedFinding } from './change-entry.ts';
import type { ControlParts } from './control-parts.ts';
import { collectionEntryOf, type Entry, scopeEntryOf } from './entry.ts';

/** Rules for changes to the scopes of an issuer. */
export function scopeRules(parts: ControlParts): EntryRules<ScopeDefinition> {
  const { scopes } = parts.server;
  return {
    ...named('scope', scopes, checkScope),
    configured: () => parts.config.scopes,
    write: scopeEntryOf,
    read: ({ name, ...members }) => scopeDefinition(String(name), members),
    limit: tooMany('scope', mostScopes),
    async put(scope) {
      if (scopes.size >= mostScopes && !scopes.has(scope.name)) return undefined;
      scopes.set(scope.name, scope);
      return [];
    },
    async remove({ name }) {
      const reason = whoNeeds(parts, name);
      if (reason === undefined) scopes.delete(name);
      return reason;
    },
  };
}

/** Rules for changes to the collections of the sample backend. Rows are kept unless the fields or the seed change. */
export function collectionRules({ server, collections, config }: ControlParts): EntryRules<CollectionConfig> {
  return {
    ...named('collection', collections, checkCollection),
    configured: () => config.collections,
    write: collectionEntryOf,
    // it has been checked
    read: ({ name, ...members }) => collectionConfig(String(name), members as unknown as CollectionEntry),
    limit: tooMany('collection', mostCollections),
    async put(collection) {
      const { all, get, put } = collections;
      if (all.length >= mostCollections && get(collection.name) === undefined) return undefined;
      const asked = [collection.readScope, collection.writeScope].filter(scope => scope !== undefined);
      const unknown = [...new Set(asked)].filter(scope => !server.scopes.has(scope));
      for (const scope of unknown) server.scopes.set(scope, describeScope(scope));
      put(collection);
      return unknown.map(scope => `The scope ${scope} is new: add it to the scope of each client that requests it.`);
    },
    async remove({ name }) {
      collections.delete(name);
      return undefined;
    },
  };
}

/** More than a handwritten configuration has. */
export const mostScopes = 1000;
export const mostCollections = 200;

function tooMany(kind: string, most: number): string {
  return `at most ${most} ${kind}s: delete some first`;
}

/** Changes to entries that have a name. `check` gets the entry without its name. */
function named<T extends { readonly name: string }>(
  kind: 'scope' | 'collection',
  now: EntryRules<T>['now'],
  check: (name: string, entry: Entry) => readonly Finding[],
): Pick<EntryRules<T>, 'kind' | 'now' | 'idOf' | 'check' | 'taken'> {
  return {
    kind,
    now,
    idOf: ({ name }) => name,
    check(entry, before) {
      const { name, ...members } = entry;
      if (typeof name !== 'string') return [{ path: ['name'], value: name, expected: 'a name' }];
      // what is wrong with the entry as a whole is wrong with its name
      const findings = check(name, members).map(found =>
        found.path.length === 0 ? { ...found, path: ['name'], value: name } : found,
      );
      return [...renamedFinding(kind, entry, before, 'a name cannot change, create a new one instead'), ...findings];
    },
    taken({ name }, before) {
      if (typeof name !== 'string' || before.name !== undefined || now.get(name) === undefined) return [];
      return [{ path: ['name'], value: name, expected: `a name that no other ${kind} has` }];
    },
  };
}

/** The reason a scope is needed: `no client has; web has it`. */
function whoNeeds({ server, collections }: ControlParts, name: string): string | undefined {
  if (Object.hasOwn(standardScopes, name)) return 'OpenID Connect does not define';
  const client = [...server.clients.values()].find(({ scope }) => parseScope(scope).includes(name));
  if (client !== undefined) return `no client has; ${client.client_id} has it`;
  const collection = collections.all.find(each => [each.readScope, each.writeScope].includes(name));
  return collection === undefined ? undefined : `no collection asks for; ${collection.name} does`;
}
