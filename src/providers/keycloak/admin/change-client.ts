import type { AnyMembers } from '../../../base/text/record.ts';
import { builtInClients } from '../../../extensions/import/keycloak/clients.ts';
import { importRealm } from '../../../extensions/import/keycloak/realm.ts';
import { isSameJson } from '../../../protocol/json-parameter.ts';
import { inputInvalid } from '../../management/call.ts';
import { apply } from '../../management/users.ts';
import { attributesIn, type ClientJson, clientRepresentation } from './client-representation.ts';
import { clientNamed, type Realm } from './realm.ts';

/** Replaces members of the representation of a client; an attribute that is empty is removed. */
export async function changeClient(realm: Realm, client_id: string, sent: ClientJson): Promise<void> {
  const before = clientRepresentation(realm, client_id);
  const all = Object.entries({ ...attributesIn(before), ...attributesIn(sent) });
  const attributes = Object.fromEntries(all.filter(([, value]) => value !== null && value !== ''));
  await saveClient(realm, { ...before, ...sent, id: before.id, clientId: client_id, attributes }, before);
}

/**
 * A client that can be changed.
 * @throws 400 for one that each realm has
 */
export function requireOwnClient(realm: Realm, id: string | undefined): string {
  const client_id = clientNamed(realm, id);
  const { server, state } = realm;
  const isFixed = builtInClients.includes(client_id) && !server.clients.has(client_id) && !state.clients.has(client_id);
  if (isFixed) throw inputInvalid(`${client_id} is a client of every realm: it cannot be changed here`);
  return client_id;
}

/** Notes of an import about values that were lost, which a caller has to correct. */
const losing =
  /redirectUris\[\d+\]: (a pattern cannot|left out)|left out: expected|left out, because (it has|the sandbox)/;

/**
 * The entry of a client, made by the import of a realm; undefined for a client that can get no tokens: one that is
 * disabled or bearer-only, or has no flow.
 * @throws 400 for values that an entry cannot have
 */
function entryOf({ name }: Realm, sent: ClientJson): AnyMembers | undefined {
  const imported = importRealm({ realm: name, clients: [sent] });
  const lost = imported.notes.find(note => losing.test(note));
  if (lost !== undefined) throw inputInvalid(lost.replaceAll(/clients\[(?:0|"(?:[^"\\]|\\.)*")\](?:\.|: )/g, ''));
  const [entry] = imported.config.clients ?? [];
  return entry && { ...entry };
}

/**
 * Makes the client as it was sent. Of an entry that exists, the members change that differ between the two
 * representations, so that members without a place in a representation stay.
 */
export async function saveClient(realm: Realm, sent: ClientJson, before: ClientJson | undefined): Promise<void> {
  const { server, state, control } = realm;
  const client_id = String(sent.clientId);
  const wanted = entryOf(realm, sent);
  if (!server.clients.has(client_id)) {
    if (wanted !== undefined) await apply(realm, { kind: 'client.create', members: wanted });
  } else if (wanted === undefined) await apply(realm, { kind: 'client.delete', client_id });
  else {
    const members = difference((before && entryOf(realm, before)) ?? {}, wanted);
    if (Object.keys(members).length > 0) await apply(realm, { kind: 'client.patch', client_id, members });
  }
  state.clients.set(client_id, { sent, entry: control.clientEntry(client_id) });
}

function difference(before: AnyMembers, after: AnyMembers): AnyMembers {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(name => !isSameJson(before[name], after[name]));
  return Object.fromEntries(changed.map(name => [name, after[name] ?? null]));
}
