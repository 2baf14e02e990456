import { inputInvalid } from '../../management/refusals.ts';
import { clientNamed } from './client-names.ts';
import { attributesIn, type ClientJson, clientRepresentation } from './client-representation.ts';
import type { Realm } from './realm.ts';
import { builtInClients } from './roles.ts';
import { saveClient } from './save-client.ts';

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
  const isFixed = builtInClients.has(client_id) && !server.clients.has(client_id) && !state.clients.has(client_id);
  if (isFixed) throw inputInvalid(`${client_id} is a client of every realm: it cannot be changed here`);
  return client_id;
}
