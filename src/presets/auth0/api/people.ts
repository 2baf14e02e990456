import { isRecord } from '../../../text/record.ts';
import { entryUnknown } from '../../management/refusals.ts';
import { apply, requireRoom, type Tenant } from './tenant.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A user of the tenant as the Management API sees it. */
export interface TenantUser {
  readonly sub: string;
  readonly username: string;
  readonly claims: Claims;
  readonly isBlocked: boolean;
}

/** All users, as configured. Users who signed in once under a typed name are among them. */
export function people({ server, state }: Tenant): readonly TenantUser[] {
  const active = [...server.users.values()].map(user => personOf({ ...user }, false));
  const blocked = [...state.blocked].filter(([sub]) => !server.users.has(sub));
  return [...active, ...blocked.map(([, entry]) => personOf(entry, true))];
}

function personOf(user: Claims, isBlocked: boolean): TenantUser {
  const sub = String(user.sub);
  const username = typeof user.username === 'string' ? user.username : sub;
  return { sub, username, claims: isRecord(user.claims) ? user.claims : {}, isBlocked };
}

/** The user with an id. @throws 404 */
export function personWith(tenant: Tenant, id = ''): TenantUser {
  const found = people(tenant).find(({ sub }) => sub === id);
  if (found === undefined) throw entryUnknown('The user does not exist.', id);
  return found;
}

/** Replaces members of the entry of a user; `null` takes one away. */
export async function changePerson(tenant: Tenant, { sub, isBlocked }: TenantUser, members: Claims): Promise<void> {
  if (!isBlocked) return apply(tenant, { kind: 'user.patch', sub, members }, 'The user already exists.');
  const merged = Object.entries({ ...tenant.state.blocked.get(sub), ...members }).filter(([, value]) => value !== null);
  tenant.state.blocked.set(sub, Object.fromEntries(merged));
}

/** Replaces claims of a user. */
export async function changeClaims(tenant: Tenant, person: TenantUser, changed: Claims): Promise<void> {
  await changePerson(tenant, person, { claims: { ...person.claims, ...changed } });
}

/** A blocked user leaves the sandbox, which has no users that may not log in, and stays in the Management API. */
export async function switchPerson(tenant: Tenant, { sub, isBlocked }: TenantUser, isOn: boolean): Promise<void> {
  const { state, control } = tenant;
  if (isOn !== isBlocked) return;
  if (!isOn) {
    requireRoom(state.blocked);
    state.blocked.set(sub, control.userEntry(sub) ?? { sub });
    return apply(tenant, { kind: 'user.delete', sub });
  }
  await apply(tenant, { kind: 'user.create', members: state.blocked.get(sub) ?? { sub } }, 'The user already exists.');
  state.blocked.delete(sub);
}

/** Takes a user away, with their sessions and tokens. */
export async function removePerson(tenant: Tenant, { sub, isBlocked }: TenantUser): Promise<void> {
  if (!isBlocked) await apply(tenant, { kind: 'user.delete', sub });
  tenant.state.blocked.delete(sub);
  tenant.state.created.delete(sub);
}

/** A claim of a user that is a list of texts. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
