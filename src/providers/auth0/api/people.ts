import type { AnyMembers } from '../../../base/text/record.ts';
import { missing } from '../../management/refusals.ts';
import { changeUser, type ManagedUser, managedUsers, switchUser } from '../../management/users.ts';
import { requireRoom, type Tenant } from './tenant.ts';

const taken = 'The user already exists.';

/** The user with an id. @throws 404 */
export function personWith(tenant: Tenant, id = ''): ManagedUser {
  return managedUsers(tenant).find(({ sub }) => sub === id) ?? missing('The user does not exist.', id);
}

/** Replaces members of the entry of a user; `null` takes one away. */
export function changePerson(tenant: Tenant, person: ManagedUser, members: AnyMembers): Promise<void> {
  return changeUser(tenant, person, members, taken);
}

/** Replaces claims of a user. */
export function changeClaims(tenant: Tenant, person: ManagedUser, changed: AnyMembers): Promise<void> {
  return changePerson(tenant, person, { claims: { ...person.claims, ...changed } });
}

/** Lets a user log in, or blocks them. */
export function switchPerson(tenant: Tenant, person: ManagedUser, isOn: boolean): Promise<void> {
  return switchUser(tenant, person, isOn, { taken, requireRoom: () => requireRoom(tenant.state.away) });
}

/** A claim of a user that is a list of texts. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
