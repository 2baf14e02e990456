import type { EntryChange } from '../../../base/events/configuration-events.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { isSameJson } from '../../../protocol/json-parameter.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { CollectionConfig } from '../../config/config.ts';
import { describeScope, registeredClient } from '../../config/entry-defaults.ts';
import type { ClientEntry } from '../../config/sandbox-config.ts';
import { clientRules, putClient } from '../client-changes.ts';
import type { ControlParts } from '../control-parts.ts';
import { clientEntryOf, type Entry } from '../entry.ts';
import { changedMembers } from '../outcome.ts';
import { userRules } from '../user-changes.ts';
import type { Registered } from './differences.ts';

/**
 * Deletes entries that are gone from the configuration, with everything issued to them. Entries created at run time
 * give way to configured ones with the same id.
 */
export async function removeEntries(
  parts: ControlParts,
  entries: readonly EntryChange[],
  after: Registered,
): Promise<void> {
  const gone = (kind: EntryChange['kind']) => namesOf(entries, kind, 'removed');
  const clients = [...gone('client'), ...namesOf(entries, 'user', 'added')]
    .filter(id => !after.clients.some(each => each.client_id === id))
    .flatMap(id => parts.server.clients.get(id) ?? []);
  const users = [...gone('user'), ...namesOf(entries, 'client', 'added')]
    .filter(sub => !after.users.some(each => each.sub === sub))
    .flatMap(sub => parts.server.users.get(sub) ?? []);
  for (const client of clients) await clientRules(parts).remove(client);
  for (const user of users) await userRules(parts).remove(user);
}

interface Both {
  readonly before: Pick<Registered, 'clients' | 'clientDefaults'>;
  readonly after: Registered;
}

/**
 * Applies entries that were added or changed in the file. Entries the file did not touch keep their run-time changes.
 */
export async function putEntries(
  { server }: Pick<ControlParts, 'server'>,
  entries: readonly EntryChange[],
  { before, after }: Both,
): Promise<void> {
  const said = new Set([...namesOf(entries, 'client', 'added'), ...namesOf(entries, 'client', 'changed')]);
  for (const client of after.clients) if (said.has(client.client_id)) await putClient(server, client);
  underNewDefaults(server, said, { before, after });
  const people = new Set([...namesOf(entries, 'user', 'added'), ...namesOf(entries, 'user', 'changed')]);
  for (const user of after.users) if (people.has(user.sub)) server.users.save(user);
  putScopes(server, entries, after);
}

function namesOf(
  entries: readonly EntryChange[],
  kind: EntryChange['kind'],
  change: EntryChange['change'],
): readonly string[] {
  return entries.filter(each => each.kind === kind && each.change === change).map(({ name }) => name);
}

/** A client that says nothing of a setting takes over what that is now; what was changed of it while it ran stays. */
function underNewDefaults(server: AuthorizationServer, said: ReadonlySet<string>, { before, after }: Both): void {
  if (isSameJson(before.clientDefaults, after.clientDefaults)) return;
  const configured = new Map(before.clients.map(client => [client.client_id, client]));
  for (const next of after.clients) {
    const [was, now] = [configured.get(next.client_id), server.clients.get(next.client_id)];
    if (was === undefined || now === undefined || said.has(next.client_id)) continue;
    const entry = { ...clientEntryOf(next, after.clientDefaults), ...changedSince(was, now, before.clientDefaults) };
    const members = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
    const renewed = registeredClient(members as unknown as ClientEntry, after.clientDefaults); // of a checked client
    server.clients.replace({ ...renewed, origin: now.origin });
  }
}

/** Members of a client that were changed at run time; undefined marks removed ones. */
function changedSince(was: RegisteredClient, now: RegisteredClient, defaults: Registered['clientDefaults']): Entry {
  const [then, entry] = [clientEntryOf(was, defaults), clientEntryOf(now, defaults)];
  return Object.fromEntries(changedMembers(then, entry).map(member => [member, entry[member]]));
}

/** A scope that is configured no more is known for as long as a client has it. */
function putScopes(server: AuthorizationServer, entries: readonly EntryChange[], { scopes }: Registered): void {
  const said = new Set([...namesOf(entries, 'scope', 'added'), ...namesOf(entries, 'scope', 'changed')]);
  const used = new Set([...server.clients.values()].flatMap(({ scope }) => parseScope(scope)));
  for (const name of namesOf(entries, 'scope', 'removed')) {
    if (used.has(name)) server.scopes.set(name, describeScope(name));
    else server.scopes.delete(name);
  }
  for (const scope of scopes) if (said.has(scope.name)) server.scopes.set(scope.name, scope);
}

/** Applies collections that were added or changed in the file. Collections created or changed at run time stay. */
export function reloadedCollections(
  running: readonly CollectionConfig[],
  entries: readonly EntryChange[],
  { collections }: Registered,
): readonly CollectionConfig[] {
  const gone = new Set(namesOf(entries, 'collection', 'removed'));
  const said = new Set([...namesOf(entries, 'collection', 'added'), ...namesOf(entries, 'collection', 'changed')]);
  const next = new Map(running.filter(({ name }) => !gone.has(name)).map(each => [each.name, each]));
  for (const collection of collections) if (said.has(collection.name)) next.set(collection.name, collection);
  return [...next.values()];
}
