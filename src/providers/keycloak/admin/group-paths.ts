import { inputInvalid, missing } from '../../management/refusals.ts';
import { groupsIn, withParents } from './holdings.ts';
import { people } from './people.ts';
import type { Realm } from './realm.ts';
import { roleClaims } from './roles.ts';

/** The full paths of all groups: those that were created, those that somebody is in, and the groups around them. */
export function groupPaths(realm: Realm): ReadonlySet<string> {
  const held = people(realm).flatMap(({ claims }) => groupsIn(claims));
  return new Set([...realm.state.groups.keys(), ...held].flatMap(withParents).toSorted());
}

/** The UUID of a group, which it keeps under another name. */
export function idOfGroup({ state, ids }: Realm, path: string): string {
  return state.groups.get(path)?.id ?? ids.idOf('group', path);
}

/**
 * The path of a group by its UUID, or by the path itself.
 * @throws 404
 */
export function groupNamed(realm: Realm, id = '', words = 'Could not find group by id'): string {
  return [...groupPaths(realm)].find(each => each === id || idOfGroup(realm, each) === id) ?? missing(words, id);
}

/** @throws 400 for the path of a group that does not exist */
export function requireGroups(realm: Realm, sent: readonly string[]): readonly string[] {
  if (sent.length === 0) return [];
  const known = groupPaths(realm);
  const paths = sent.map(path => (path.startsWith('/') ? path : `/${path}`));
  const missing = paths.find(path => !known.has(path));
  if (missing !== undefined) throw inputInvalid(`Unable to find group specified by path: ${missing}`);
  return [...new Set(paths)];
}

/** A group as the admin API answers it (GroupRepresentation.java). `shown` are the groups whose way down is shown. */
export function groupRepresentation(realm: Realm, path: string, shown: readonly string[] = []): object {
  const { description, attributes = {}, roles = [] } = realm.state.groups.get(path) ?? {};
  const parent = path.slice(0, path.lastIndexOf('/'));
  const inside = [...groupPaths(realm)].filter(each => each.slice(0, each.lastIndexOf('/')) === path);
  const leading = inside.filter(each => shown.some(found => `${found}/`.startsWith(`${each}/`)));
  const claims = roleClaims(roles);
  return {
    id: idOfGroup(realm, path),
    name: path.slice(parent.length + 1),
    ...(description !== undefined && { description }),
    path,
    ...(parent !== '' && { parentId: idOfGroup(realm, parent) }),
    subGroupCount: inside.length,
    subGroups: leading.map(each => groupRepresentation(realm, each, shown)),
    attributes,
    realmRoles: claims.roles,
    clientRoles: claims.client_roles,
  };
}
