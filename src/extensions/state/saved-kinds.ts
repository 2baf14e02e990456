import type { EntryRules } from '../../sandbox/control/change-entry.ts';
import { clientRules, mostClients } from '../../sandbox/control/client-changes.ts';
import type { ControlParts } from '../../sandbox/control/control-parts.ts';
import type { Entry } from '../../sandbox/control/entry.ts';
import { collectionRules, mostCollections, mostScopes, scopeRules } from '../../sandbox/control/named-changes.ts';
import { userRules } from '../../sandbox/control/user-changes.ts';

/** One kind of entries, and what else of it is saved. */
export interface SavedKind<T extends object = object> {
  readonly list: 'scopes' | 'clients' | 'users' | 'collections';
  readonly rules: EntryRules<T>;
  /** Most entries of an issuer. */
  readonly most: number;
  /** Members that its written form does not have. */
  readonly beside: readonly (keyof T & string)[];
  put(one: T): Promise<unknown>;
  /** Takes it away, and ends nothing that it was given. */
  remove(id: string): unknown;
}

/** In the order in which they are put: a client needs its scopes, a collection too. */
export function savedKinds(parts: ControlParts): readonly SavedKind[] {
  const { clients, users, scopes } = parts.server;
  const mostUsers = parts.config.users.length + parts.config.userLimit;
  const [scope, client, user, collection] = [
    scopeRules(parts),
    clientRules(parts),
    userRules(parts),
    collectionRules(parts),
  ];
  return [
    kind('scopes', scope, mostScopes, [], scope.put, name => scopes.delete(name)),
    kind('clients', client, mostClients, ['origin'], client.put, id => clients.discard(id)),
    kind(
      'users',
      user,
      mostUsers,
      ['unscoped_claims', 'isVisitor'],
      async one => void (users as unknown as Map<string, typeof one>).set(one.sub, one), // as it is: a visitor stays one
      sub => users.remove(sub),
    ),
    kind('collections', collection, mostCollections, [], collection.put, name => parts.collections.delete(name)),
  ];
}

function kind<T extends object>(
  list: SavedKind['list'],
  rules: EntryRules<T>,
  most: number,
  beside: SavedKind<T>['beside'],
  put: SavedKind<T>['put'],
  remove: SavedKind<T>['remove'],
): SavedKind {
  return { list, rules, most, beside, put, remove } as unknown as SavedKind; // a loop over all kinds knows none of their types
}

/** The part of an entry that is saved beside its written form. */
export function besideOf(beside: readonly string[], one: object): Entry {
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => beside.includes(name) && value !== undefined),
  );
}
