import { defined } from '../../base/defined.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { lookForEndedTokens } from '../../protocol/kept-authorizations.ts';
import type { KeptKey } from '../../protocol/tokens/signing-keys.ts';
import type { Finding } from '../../sandbox/config/problem.ts';
import { type EntryRules, entriesOf } from '../../sandbox/control/change-entry.ts';
import { clientRules, mostClients } from '../../sandbox/control/client-changes.ts';
import type { ControlParts } from '../../sandbox/control/control-parts.ts';
import type { Entry } from '../../sandbox/control/entry.ts';
import { forgetChanges } from '../../sandbox/control/forget-changes.ts';
import { collectionRules, mostCollections, mostScopes, scopeRules } from '../../sandbox/control/named-changes.ts';
import { checkedRules, currentRules, putRules } from '../../sandbox/control/token-claims.ts';
import { userRules } from '../../sandbox/control/user-changes.ts';
import { keptEntries } from './kept-entries.ts';
import { type SavedEntries, type SavedIssuer, type SavedState, SavedStateError } from './saved-state.ts';

/**
 * The issuer at a path in a saved state. A state of one issuer fits every issuer.
 * @throws SavedStateError if there are several, and none at this path
 */
export function issuerAt({ issuers }: SavedState, path: string): SavedIssuer {
  const all = Object.values(issuers);
  const found = issuers[path] ?? (all.length === 1 ? all[0] : undefined);
  if (found !== undefined) return found;
  const expected = `the issuer ${path}; the file has ${Object.keys(issuers).join(', ') || 'none'}`;
  throw new SavedStateError([{ path: ['issuers'], expected }]);
}

/**
 * Returns an issuer to its configuration, and then to a saved state. Checks all of it before anything changes. Keys that the
 * configuration has stay.
 * @throws SavedStateError
 */
export async function restoreIssuer(parts: ControlParts, saved: SavedIssuer): Promise<void> {
  const { server, config } = parts;
  const kinds = savedKinds(parts);
  demandNone(kinds.flatMap(kind => findingsOf(kind, saved)));
  demandNone(kinds.flatMap(kind => roomFor(kind, saved))); // it reads what was checked
  const rules = saved.tokenClaims && checkedRules(known(kinds, saved), saved.tokenClaims);
  await forgetChanges(parts);
  const { keys = [], seed } = config;
  if (keys.length === 0 && seed === undefined) await server.keys.keep(saved.keys as readonly KeptKey[]); // each was checked
  // replicas derive theirs from a shared secret, and would not hear of another one
  const hasOwnSalt = seed === undefined && server.store.isShared !== true;
  if (hasOwnSalt) Object.assign(server, { pairwiseSalt: saved.pairwiseSalt }); // all holders share the server
  for (const kind of kinds) await restoreKind(kind, saved);
  if (rules !== undefined) putRules(server, rules);
  await restoreStore(server, saved.store);
}

/** The user of a client may be restored after it, or have been deleted, as in a running sandbox. */
function isOfUsers(list: SavedKind['list'], member: unknown): boolean {
  return list === 'clients' && member === 'auto_login';
}

function findingsOf({ list, rules }: SavedKind, saved: SavedIssuer): Finding[] {
  return saved[list].changed.flatMap(({ entry }, index) =>
    rules
      .check(entry, {})
      .filter(({ path: [member] }) => !isOfUsers(list, member))
      .map(finding => ({ ...finding, path: [list, 'changed', index, 'entry', ...finding.path] })),
  );
}

function demandNone(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new SavedStateError(findings);
}

/** Entries beyond the limit of the sandbox would be lost without a word. */
function roomFor(kind: SavedKind, saved: SavedIssuer): Finding[] {
  const { size } = entriesAfter(kind, saved);
  const expected = `at most ${kind.most} in all, and not ${size}`;
  return size > kind.most ? [{ path: [kind.list, 'changed'], expected }] : [];
}

function known(kinds: readonly SavedKind[], saved: SavedIssuer) {
  const after = (list: SavedKind['list']) => {
    const kind = kinds.find(each => each.list === list);
    return kind === undefined ? new Map<string, object>() : entriesAfter(kind, saved);
  };
  return { clients: after('clients') as Map<string, RegisteredClient>, scopes: after('scopes') };
}

function entriesAfter({ list, rules }: SavedKind, saved: SavedIssuer): Map<string, object> {
  const { changed, deleted } = saved[list];
  const all = [...rules.configured(), ...changed.map(({ entry }) => rules.read(entry, undefined))];
  const byId = new Map(all.map(one => [rules.idOf(one), one]));
  for (const id of deleted) byId.delete(id);
  return byId;
}

async function restoreKind({ list, rules, beside, put, remove }: SavedKind, saved: SavedIssuer): Promise<void> {
  const { changed, deleted } = saved[list];
  for (const id of deleted) remove(id);
  for (const { entry, ...members } of changed)
    await put({ ...rules.read(entry, undefined), ...besideOf(beside, members) });
}

async function restoreStore({ store, clock }: ControlParts['server'], entries: SavedIssuer['store']): Promise<void> {
  for (const kind of keptEntries.keys()) await store.clear(kind);
  const now = clock();
  const living = entries.filter(([, , , expiresAt]) => expiresAt > now);
  await Promise.all(living.map(([kind, id, value, expiresAt]) => store.put([kind, id], value, expiresAt - now)));
  if (living.some(([kind]) => kind === 'ended_token')) lookForEndedTokens(store);
}

/** Everything that one issuer remembers beyond its configuration, and that outlives a restart. The keys are private ones. */
export async function captureIssuer(parts: ControlParts): Promise<SavedIssuer> {
  const { server, config } = parts;
  const [keys, entries] = await Promise.all([server.keys.kept(), server.store.entries([...keptEntries.keys()])]);
  const saved = Object.fromEntries(savedKinds(parts).map(kind => [kind.list, entriesIn(kind)]));
  const rules = currentRules(server);
  return {
    keys: keys.map(({ jwk, ...facts }) => ({ ...facts, jwk: { ...jwk } })),
    pairwiseSalt: server.pairwiseSalt,
    ...(saved as Record<SavedKind['list'], SavedEntries>), // the lists of all kinds
    ...defined({ tokenClaims: isSameJson(rules, config.tokenClaims) ? undefined : [...rules] }),
    store: entries.map(({ key: [kind, id], value, expiresAt }) => [kind, id, value, expiresAt]),
  };
}

/** Entries never change in place, so each is written once. */
const written = new WeakMap<object, Entry>();

function entriesIn({ rules, beside }: SavedKind): SavedEntries {
  const entries = entriesOf(rules);
  const changed = entries.ids().filter(id => entries.isChanged(id));
  const deleted = rules
    .configured()
    .map(rules.idOf)
    .filter(id => rules.now.get(id) === undefined);
  return { changed: changed.flatMap(id => savedEntry(rules, beside, id)), deleted };
}

function savedEntry(rules: SavedKind['rules'], beside: SavedKind['beside'], id: string): SavedEntries['changed'] {
  const one = rules.now.get(id);
  if (one === undefined) return [];
  const entry = written.get(one) ?? rules.write(one);
  written.set(one, entry);
  return [{ entry, ...besideOf(beside, one) }];
}

interface SavedKind<T extends object = object> {
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
function savedKinds(parts: ControlParts): readonly SavedKind[] {
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
function besideOf(beside: readonly string[], one: object): Entry {
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => beside.includes(name) && value !== undefined),
  );
}
