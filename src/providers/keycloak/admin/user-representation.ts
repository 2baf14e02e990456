import { defined } from '../../../base/defined.ts';
import type { AnyMembers } from '../../../base/text/record.ts';
import { inputInvalid } from '../../management/call.ts';
import type { MembersOf, Shape } from '../../management/members.ts';
import type { RealmUser } from './people.ts';
import type { Realm } from './realm.ts';

/** The members of a user that are read (UserRepresentation.java). */
export const userShape = {
  username: 'text',
  email: 'text',
  emailVerified: 'flag',
  firstName: 'text',
  lastName: 'text',
  enabled: 'flag',
  attributes: 'lists',
  credentials: 'records',
  requiredActions: 'texts',
  groups: 'texts',
} as const satisfies Shape;

/** A user as it was sent. */
export type SentUser = MembersOf<typeof userShape>;

/** The claims that are members of a user of their own; all others are attributes. */
const members = { email: 'email', emailVerified: 'email_verified', firstName: 'given_name', lastName: 'family_name' };
const ownClaims = ['name', 'preferred_username', 'roles', 'client_roles', 'groups', ...Object.values(members)];
/** Attributes that are another way to write a member. */
const ownAttributes = ['username', 'email', 'firstName', 'lastName'];

/** A user as the admin API answers it. */
export function userRepresentation({ state }: Realm, person: RealmUser, isBrief = false): object {
  const { id, sub, username, claims, isHere, client } = person;
  const { createdTimestamp = state.since, requiredActions = [] } = state.users.get(sub) ?? {};
  const attributes = attributesOf(claims);
  return {
    id,
    username,
    ...defined({ firstName: claims.given_name, lastName: claims.family_name, email: claims.email }),
    emailVerified: claims.email_verified === true,
    ...(!isBrief && Object.keys(attributes).length > 0 && { attributes }),
    enabled: isHere,
    createdTimestamp,
    totp: false,
    disableableCredentialTypes: [],
    requiredActions,
    notBefore: 0,
    ...defined({ serviceAccountClientId: client }),
  };
}

/** The attributes of a user: claims that are no member of their own, each as a list of texts. */
export function attributesOf(claims: AnyMembers): Readonly<Record<string, readonly string[]>> {
  const others = Object.entries(claims).filter(([name]) => !ownClaims.includes(name));
  return Object.fromEntries(others.map(([name, value]) => [name, textsOf(value)]));
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().map(each => (typeof each === 'string' ? each : JSON.stringify(each)));
}

/** The claims of a user after a change. Members that were not sent stay as they are. */
export function claimsAfter(before: AnyMembers, sent: SentUser): AnyMembers {
  const { username, email, emailVerified, firstName, lastName, attributes } = sent;
  const own = {
    email: email?.toLowerCase(),
    email_verified: emailVerified,
    given_name: firstName,
    family_name: lastName,
  };
  const changed = { ...before, ...defined({ ...own, preferred_username: username?.toLowerCase() }) };
  const isVerifiable = changed.email !== undefined && changed.email_verified === undefined;
  const all = { ...withAttributes(changed, attributes), ...(isVerifiable && { email_verified: false }) };
  const isNamed = firstName !== undefined || lastName !== undefined;
  const texts = Object.entries(isNamed ? { ...all, name: fullName(all) } : all);
  return Object.fromEntries(texts.filter(([name, value]) => value !== '' || !ownClaims.includes(name)));
}

function fullName({ given_name, family_name }: AnyMembers): string {
  return [given_name, family_name].filter(part => typeof part === 'string' && part !== '').join(' ');
}

/** Attributes that were sent replace all attributes. A value that did not change keeps its type. */
function withAttributes(claims: AnyMembers, sent: SentUser['attributes']): AnyMembers {
  if (sent === undefined) return claims;
  const before = attributesOf(claims);
  const reserved = Object.keys(sent).find(name => ownClaims.includes(name) && !ownAttributes.includes(name));
  if (reserved !== undefined)
    throw inputInvalid(`the attribute ${reserved} is a claim of the sandbox with another meaning: use another name`);
  const kept = Object.entries(claims).filter(([name]) => ownClaims.includes(name));
  const given = Object.entries(sent).filter(([name, values]) => values.length > 0 && !ownAttributes.includes(name));
  const written = given.map(([name, values]): [string, unknown] => {
    const isSame = JSON.stringify(before[name]) === JSON.stringify(values);
    return [name, isSame ? claims[name] : values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries([...kept, ...written]);
}

/** The password among the credentials that were sent; undefined for none. */
export function passwordIn({ credentials = [] }: SentUser): string | undefined {
  const password = credentials.find(({ type = 'password' }) => type === 'password');
  if (password === undefined) return undefined;
  if (typeof password.value !== 'string' || password.value === '')
    throw inputInvalid('the credential has no value: send the password as text');
  return password.value;
}
