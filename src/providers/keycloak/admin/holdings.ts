import { isSameJson } from '../../../protocol/json-parameter.ts';
import { apply } from '../../management/users.ts';
import { changePerson, people, type RealmUser, serviceAccounts } from './people.ts';
import type { Realm } from './realm.ts';
import { defaultRoles, keyOf, roleClaims, rolesIn, withParts } from './roles.ts';

/** The groups of a user, and the roles that the user has neither by a group nor by another role. */
interface Holdings {
  readonly groups: readonly string[];
  readonly direct: ReadonlySet<string>;
}

/** The full paths of groups in the claims of a user. */
export function groupsIn({ groups }: RealmUser['claims']): readonly string[] {
  const names = Array.isArray(groups) ? groups.map(String) : [];
  return names.map(name => (name.startsWith('/') ? name : `/${name}`));
}

/** A path with the paths of the groups around it: `/a/b` and `/a`. */
export function withParents(path: string): readonly string[] {
  const steps = path.split('/').slice(1);
  return steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`);
}

/** The roles that members of these groups have. */
export function rolesOfGroups({ state }: Realm, paths: readonly string[]): ReadonlySet<string> {
  const own = paths.flatMap(withParents).flatMap(path => [...(state.groups.get(path)?.roles ?? [])]);
  return withParts(state, own);
}

/** The holdings of a user, computed from the claims, which have all roles. */
export function holdingsOf(realm: Realm, { claims }: RealmUser): Holdings {
  const groups = groupsIn(claims);
  const held = rolesIn(claims).map(keyOf);
  const inherited = new Set(rolesOfGroups(realm, groups));
  for (const key of held) for (const part of withParts(realm.state, [key])) if (part !== key) inherited.add(part);
  return { groups, direct: new Set(held.filter(key => !inherited.has(key))) };
}

/** All roles of a user, those that every user has among them. */
export function allRoles(realm: Realm, { groups, direct }: Holdings): ReadonlySet<string> {
  const own = [...direct, ...rolesOfGroups(realm, groups), ...defaultRoles(realm).map(keyOf)];
  return withParts(realm.state, own);
}

/** Writes the holdings into the claims of a user, or into the access tokens of a service account. */
export async function saveHoldings(realm: Realm, person: RealmUser, holdings: Holdings): Promise<void> {
  const usual = new Set(defaultRoles(realm).map(keyOf));
  const { roles, client_roles } = roleClaims([...allRoles(realm, holdings)].filter(key => !usual.has(key)));
  const { roles: _, client_roles: __, groups: ___, ...others } = person.claims;
  const claims = {
    ...others,
    ...(roles.length > 0 && { roles }),
    ...(Object.keys(client_roles).length > 0 && { client_roles }),
    ...(holdings.groups.length > 0 && { groups: spelled(person, holdings.groups) }),
  };
  if (isSameJson(claims, person.claims)) return;
  if (person.client === undefined) await changePerson(realm, person, { claims });
  else await saveServiceAccount(realm, person.client, roles, client_roles);
}

/** Paths as the user has them: groups of a configuration may be without a slash. */
function spelled({ claims }: RealmUser, groups: readonly string[]): readonly string[] {
  const before = Array.isArray(claims.groups) ? claims.groups.map(String) : [];
  const isPlain = before.length > 0 && before.every(name => !name.startsWith('/'));
  return isPlain ? groups.map(path => path.slice(1)) : groups;
}

async function saveServiceAccount(
  realm: Realm,
  client_id: string,
  roles: readonly string[],
  clientRoles: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const { access_token_claims: before = {} } = realm.server.clients.get(client_id) ?? {};
  const { realm_access: _, resource_access: __, ...others } = before;
  const resource_access = Object.fromEntries(
    Object.entries(clientRoles).map(([client, names]) => [client, { roles: names }]),
  );
  const access_token_claims = {
    ...others,
    ...(roles.length > 0 && { realm_access: { roles } }),
    ...(Object.keys(resource_access).length > 0 && { resource_access }),
  };
  await apply(realm, { kind: 'client.patch', client_id, members: { access_token_claims } });
}

/** Everybody who can have roles. */
export function holders(realm: Realm): readonly RealmUser[] {
  return [...people(realm), ...serviceAccounts(realm)];
}

/**
 * Changes what roles or groups mean, and then the roles of everybody who has one of them. `renamed` is the new key of a
 * role or the new path of a group; undefined where it is gone.
 */
export async function changeMeaning(
  realm: Realm,
  change: () => void,
  renamed: (name: string) => string | undefined = name => name,
): Promise<void> {
  const before = holders(realm).map(person => [person, holdingsOf(realm, person)] as const);
  change();
  for (const [person, { groups, direct }] of before) {
    const kept = [...direct].flatMap(key => renamed(key) ?? []);
    await saveHoldings(realm, person, { groups: groups.flatMap(path => renamed(path) ?? []), direct: new Set(kept) });
  }
}
