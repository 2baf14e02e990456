import { defined } from '../../../base/defined.ts';
import type { EntryChange, MemberChange } from '../../../base/events/configuration-events.ts';
import { isRecord } from '../../../base/text/record.ts';
import { shorten } from '../../../protocol/parameters.ts';
import type { IssuerConfig } from '../../config/config.ts';
import { isSecretName } from '../../config/problem.ts';
import type { registrationMembers } from '../../config/registration.ts';
import { clientEntryOf, collectionEntryOf, type Entry, scopeEntryOf, userEntryOf } from '../entry.ts';
import { changedMembers } from '../outcome.ts';

/** The parts of a configuration that have entries. */
export type Registered = Pick<IssuerConfig, (typeof registrationMembers)[number] | 'clientDefaults' | 'onTokenSource'>;

/** Diff of two configurations, entry by entry, in the shape of `clients.config.ts`. */
export function differences(before: Registered, after: Registered): readonly EntryChange[] {
  const was = entriesOf(before);
  const is = { ...entriesOf(after), client: clientsLike(was.client, before, after) };
  return kinds.flatMap(kind => differencesOf(kind, was[kind], is[kind]));
}

type Kind = EntryChange['kind'];
type Named = ReadonlyMap<string, Entry>;

const kinds: readonly Kind[] = [
  'client',
  'user',
  'scope',
  'collection',
  'authorization details type',
  'trusted issuer',
  'rule',
];

function entriesOf(config: Registered): Readonly<Record<Kind, Named>> {
  const { clients, users, scopes, collections, authorizationDetailsTypes, trustedIssuers, clientDefaults } = config;
  return {
    client: new Map(clients.map(each => [each.client_id, clientEntryOf(each, clientDefaults)])),
    user: new Map(users.map(each => [each.sub, userEntryOf(each)])),
    scope: new Map(scopes.map(each => [each.name, scopeEntryOf(each)])),
    collection: new Map(collections.map(each => [each.name, collectionEntryOf(each)])),
    'authorization details type': byName(authorizationDetailsTypes, 'name'),
    'trusted issuer': byName(trustedIssuers, 'issuer'),
    rule: rulesOf(config),
  };
}

/** A function is compared by its source. */
function rulesOf({ tokenClaims, onTokenSource: source }: Registered): Named {
  const templates = tokenClaims.map((rule, index): [string, Entry] => [`tokenClaims[${index}]`, { ...rule }]);
  return new Map([...templates, ...(source === undefined ? [] : [['onToken', { source }] as const])]);
}

/**
 * When a default changes, a client that relied on it would look changed. A member counts as changed only if it differs under
 * the old defaults and under the new ones.
 */
function clientsLike(was: Named, { clientDefaults }: Registered, after: Registered): Named {
  return new Map(
    after.clients.map(client => {
      const [before, entry] = [was.get(client.client_id), clientEntryOf(client, after.clientDefaults)];
      if (before === undefined) return [client.client_id, entry];
      const moved = new Set(changedMembers(before, clientEntryOf(client, clientDefaults)));
      const changed = changedMembers(before, entry).filter(member => moved.has(member));
      return [client.client_id, { ...before, ...Object.fromEntries(changed.map(member => [member, entry[member]])) }];
    }),
  );
}

function byName<Id extends string>(list: readonly Readonly<Record<Id, string>>[], id: Id): Named {
  return new Map(list.map(each => [each[id], { ...each }]));
}

function differencesOf(kind: Kind, was: Named, is: Named): readonly EntryChange[] {
  const changes: EntryChange[] = [];
  for (const [name, entry] of is) {
    const before = was.get(name);
    const members = before === undefined ? [] : memberChanges(before, entry);
    if (before === undefined) changes.push({ kind, name, change: 'added', members });
    else if (members.length > 0) changes.push({ kind, name, change: 'changed', members });
  }
  for (const name of was.keys()) if (!is.has(name)) changes.push({ kind, name, change: 'removed', members: [] });
  return changes;
}

/** An object within an entry, as `claims` is one, is told by what changed within it. */
function memberChanges(before: Entry, after: Entry): readonly MemberChange[] {
  return changedMembers(before, after).flatMap(member => {
    const [was, is] = [before[member], after[member]];
    if (!isRecord(was) || !isRecord(is)) return [changeOf(member, member, was, is)];
    return changedMembers(was, is).map(inner => changeOf(`${member}.${inner}`, inner, was[inner], is[inner]));
  });
}

function changeOf(member: string, name: string, from: unknown, to: unknown): MemberChange {
  return { member, ...defined({ from: shown(name, from), to: shown(name, to) }) };
}

const longest = 120;

/** As JSON, without secrets and passwords of URLs. */
function shown(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (isSecretName(name)) return '***';
  const text = JSON.stringify(value, (key, inner) => (isSecretName(key) ? '***' : inner)) ?? '';
  return shorten(text.replace(/\/\/[^/@\s"]*@/g, '//***@'), longest);
}
