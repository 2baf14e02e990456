import { defined } from '../../../base/defined.ts';
import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { missing } from '../../management/call.ts';
import type { MembersOf, Shape } from '../../management/members.ts';
import { changeUser, type ManagedUser, managedUsers, switchUser } from '../../management/users.ts';
import { connectionName } from '../database.ts';
import { requireRoom, type Tenant } from './tenant.ts';

/** The members of a user that can be set. */
export const userShape = {
  email: 'text',
  email_verified: 'flag',
  username: 'text',
  password: 'text',
  phone_number: 'text',
  phone_verified: 'flag',
  name: 'text',
  nickname: 'text',
  given_name: 'text',
  family_name: 'text',
  picture: 'text',
  blocked: 'flag',
  user_metadata: 'record',
  app_metadata: 'record',
} as const satisfies Shape;

const plain = ['name', 'nickname', 'given_name', 'family_name', 'picture', 'phone_number'] as const;

/** A user as the Management API answers it. */
export function representation(tenant: Tenant, { sub, username, claims, isHere }: ManagedUser): AnyMembers {
  const { state, since, events } = tenant;
  const created = state.created.get(sub) ?? since;
  const logins = events.latest('login.succeeded', 1000).filter(event => event.sub === sub);
  const [provider = '', user_id = ''] = sub.split(/\|(.*)/s);
  const isOwn = provider === 'auth0';
  const text = Object.fromEntries(plain.map(name => [name, claims[name]]));
  return {
    user_id: sub,
    ...defined({
      email: claims.email,
      email_verified: claims.email === undefined ? undefined : claims.email_verified === true,
    }),
    ...(username !== sub && username !== claims.email && { username }),
    ...defined({ ...text, phone_verified: claims.phone_number_verified }),
    identities: claims.identities ?? [
      { connection: isOwn ? connectionName : provider, provider, user_id, isSocial: !isOwn },
    ],
    created_at: new Date(created).toISOString(),
    updated_at: new Date(typeof claims.updated_at === 'number' ? claims.updated_at * 1000 : created).toISOString(),
    app_metadata: claims.app_metadata ?? {},
    user_metadata: claims.user_metadata ?? {},
    logins_count: logins.length,
    ...(logins[0] !== undefined && { last_login: new Date(logins[0].at * 1000).toISOString() }),
    ...(!isHere && { blocked: true }),
  };
}

/** A user in a list of members. */
export function brief(tenant: Tenant, person: ManagedUser): object {
  const { user_id, email, name, picture } = representation(tenant, person);
  return { user_id, email, name, picture };
}

/** The members that `fields` names, or all others with `include_fields=false`. */
export function withFields(user: AnyMembers, query: URLSearchParams): AnyMembers {
  const fields = query
    .get('fields')
    ?.split(',')
    .map(name => name.trim());
  if (fields === undefined || fields.length === 0 || fields[0] === '') return user;
  const isKept = (name: string) => fields.includes(name) === (query.get('include_fields') !== 'false');
  return Object.fromEntries(Object.entries(user).filter(([name]) => isKept(name)));
}

/** The claims of a user after a change. Members that were not sent stay as they are. */
export function claimsAfter(before: AnyMembers, sent: MembersOf<typeof userShape>): AnyMembers {
  const { email, email_verified, phone_verified, user_metadata, app_metadata } = sent;
  const text = Object.fromEntries(plain.map(name => [name, sent[name]]));
  const isVerified = email_verified ?? (email === undefined || email === before.email ? undefined : false);
  return {
    ...before,
    ...defined({
      ...text,
      email: email?.toLowerCase(),
      email_verified: isVerified,
      phone_number_verified: phone_verified,
    }),
    ...(user_metadata && { user_metadata: merged(before.user_metadata, user_metadata) }),
    ...(app_metadata && { app_metadata: merged(before.app_metadata, app_metadata) }),
  };
}

/** Metadata is merged at its first level; `null` takes a member away. */
function merged(before: unknown, sent: AnyMembers): AnyMembers {
  const all = Object.entries({ ...(isRecord(before) ? before : {}), ...sent });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

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
