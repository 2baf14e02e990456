import { inputInvalid } from '../../management/refusals.ts';
import { groupsIn, withParents } from './holdings.ts';
import { people } from './people.ts';
import type { Realm } from './realm.ts';

/** The full paths of all groups: those that were created, those that somebody is in, and the groups around them. */
export function groupPaths(realm: Realm): ReadonlySet<string> {
  const held = people(realm).flatMap(({ claims }) => groupsIn(claims));
  return new Set([...realm.state.groups.keys(), ...held].flatMap(withParents).toSorted());
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
