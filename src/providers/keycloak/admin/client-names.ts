import { builtInClients } from '../../../extensions/import/keycloak/clients.ts';
import { missing } from '../../management/refusals.ts';
import type { Realm } from './realm.ts';

/** The names of all clients, those that each realm has among them. */
export function clientNames({ server, state }: Realm): ReadonlySet<string> {
  return new Set([...server.clients.keys(), ...state.clients.keys(), ...builtInClients]);
}

/**
 * The `client_id` of a UUID; the `client_id` itself is accepted, too.
 * @throws 404
 */
export function clientNamed(realm: Realm, id = '', words = 'Could not find client'): string {
  return realm.ids.nameOf('client', id, clientNames(realm)) ?? missing(words, id);
}
