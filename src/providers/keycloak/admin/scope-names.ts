import { missing } from '../../management/refusals.ts';
import type { Realm } from './realm.ts';

/** Client scopes of each realm that tokens do not name. */
export const builtInScopes: readonly string[] = ['web-origins', 'acr', 'roles', 'basic'];

/** The names of all client scopes. `openid` is none in a realm. */
export function scopeNames({ server }: Realm): ReadonlySet<string> {
  return new Set([...server.scopes.keys(), ...builtInScopes].filter(name => name !== 'openid').toSorted());
}

/**
 * The name of a client scope by its UUID, or by the name itself.
 * @throws 404
 */
export function scopeNamed(realm: Realm, id = '', words = 'Could not find client scope'): string {
  return realm.ids.nameOf('scope', id, scopeNames(realm)) ?? missing(words, id);
}
