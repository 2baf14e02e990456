import { defined } from '../../../base/defined.ts';
import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { inputInvalid } from '../../management/call.ts';
import type { OrgUser } from './people.ts';

/** Members of a profile by the claims that have them here; other members are claims with the same name. */
export const claimOf: Readonly<Record<string, string>> = {
  firstName: 'given_name',
  lastName: 'family_name',
  middleName: 'middle_name',
  displayName: 'name',
  nickName: 'nickname',
  mobilePhone: 'phone_number',
  profileUrl: 'profile',
  timezone: 'zoneinfo',
};
const memberOf = Object.fromEntries(Object.entries(claimOf).map(([member, claim]) => [claim, member]));

const ours = [
  ...[
    'sub',
    'preferred_username',
    'email_verified',
    'phone_number_verified',
    'updated_at',
    'address',
    'groups',
    'roles',
  ],
  'client_roles',
  'permissions',
  'organizations',
  'tenant',
  'user_metadata',
  'app_metadata',
  'identities',
  'uid',
];

/** The profile of a user as the API answers it. */
export function profileOf({ login, claims }: Pick<OrgUser, 'login' | 'claims'>): AnyMembers {
  const own = Object.entries(claims).filter(([name]) => !ours.includes(name));
  const {
    firstName = null,
    lastName = null,
    mobilePhone = null,
    secondEmail = null,
    email,
    ...others
  } = Object.fromEntries(own.map(([name, value]) => [memberOf[name] ?? name, value])) as AnyMembers;
  return { firstName, lastName, mobilePhone, secondEmail, login, email: email ?? login, ...others };
}

/** The username and the claims that a profile becomes. `before` has claims that are not part of a profile. */
export function entryOf(
  profile: AnyMembers,
  before: AnyMembers,
): { readonly username: string; readonly claims: AnyMembers } {
  const missing = ['login', 'email', 'firstName', 'lastName'].find(name => isBlank(profile[name]));
  if (missing !== undefined) throw inputInvalid(`${missing}: The field cannot be left blank`);
  const { login, ...members } = profile;
  const kept = Object.entries(before).filter(([name]) => ours.includes(name));
  const given = Object.entries(members).filter(([, value]) => value !== null);
  const reserved = given.find(([name]) => ours.includes(claimOf[name] ?? name));
  if (reserved !== undefined)
    throw inputInvalid(`${reserved[0]}: This name is a claim of the sandbox with another meaning`);
  const claims = Object.fromEntries(given.map(([name, value]) => [claimOf[name] ?? name, value]));
  const name = claims.name ?? [profile.firstName, profile.lastName].join(' ');
  const isVerified = { email_verified: before.email === claims.email ? before.email_verified : true };
  return {
    username: String(login),
    claims: { ...Object.fromEntries(kept), ...claims, name, preferred_username: login, ...defined(isVerified) },
  };
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

/** The profile that was sent. */
export function sentProfile(body: unknown): AnyMembers {
  const { profile = {} } = isRecord(body) ? body : {};
  if (isRecord(profile)) return profile;
  throw inputInvalid('profile: The profile must be an object');
}

/** A user as the API answers it. `address` is that of the user. */
export function userBody({ sub, login, claims, hasPassword, lastLogin, facts }: OrgUser, address: string) {
  const { status, created, activated, statusChanged, lastUpdated, passwordChanged } = facts;
  return {
    id: sub,
    status,
    created,
    activated,
    statusChanged,
    lastLogin,
    lastUpdated,
    passwordChanged,
    type: { id: 'otygrantboxsandbox00' },
    profile: profileOf({ login, claims }),
    credentials: { ...(hasPassword && { password: {} }), provider: { type: 'OKTA', name: 'OKTA' } },
    _links: { self: { href: address } },
  };
}
