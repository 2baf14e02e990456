import { phcText } from '../../../base/text/phc.ts';
import type { UserEntry } from '../../../sandbox/config/sandbox-config.ts';
import type { Budget } from '../budget.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  lose,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from '../members.ts';
import { readJson } from '../read-text.ts';
import type { ClientDraft, UserDraft } from './draft.ts';
import { attributesIn, fullName, type Person, type RealmGroup, withParents } from './groups.ts';
import { putClaim } from './mapper.ts';
import { type RoleBook, roleClaims, rolesIn } from './roles.ts';

const userUses: UseTable = {
  id: 'read', // sub
  username: 'read', // username, claims.preferred_username
  enabled: 'read',
  email: 'read', // claims.email
  emailVerified: 'read', // claims.email_verified
  firstName: 'read', // claims.given_name, claims.name
  lastName: 'read', // claims.family_name, claims.name
  attributes: 'read', // claims, where a mapper names them
  credentials: 'read', // password, password_hash
  realmRoles: 'read', // claims.roles
  clientRoles: 'read', // claims.client_roles
  groups: 'read', // claims.groups
  serviceAccountClientId: 'read',
  self: 'none',
  origin: 'none',
  createdTimestamp: 'none',
  access: 'none',
  disableableCredentialTypes: 'none',
  userProfileMetadata: 'none',
  totp: { lost: 'one-time passwords are not asked for' },
  requiredActions: { lost: 'required actions are not run' },
  notBefore: { lost: 'tokens are not revoked by time' },
  federationLink: { lost: 'users of a directory sign in here with any password' },
  federatedIdentities: { lost: 'identity brokering is not served: the user signs in here' },
  clientConsents: { lost: 'consents are asked for anew' },
  applicationRoles: { lost: 'the form of an old version: export the realm with a newer one' },
  socialLinks: { lost: 'identity brokering is not served: the user signs in here' },
};

interface UserPlace {
  readonly realm: string;
  readonly groups: ReadonlyMap<string, RealmGroup>;
  readonly roles: RoleBook;
  readonly budget: Budget;
}

/** Reads `users` of an export, without service accounts. */
export function readUsers(found: ExportPart, place: UserPlace): readonly UserDraft[] {
  return recordsIn(found).flatMap((each): readonly UserDraft[] => {
    if (isServiceAccount(each)) return [];
    const username = textIn(at(each, 'username'));
    const isOff = flagIn(at(each, 'enabled')) === false;
    if (isOff) return leftOut(each, 'the user is disabled');
    if (username === undefined) return leftOut(each, 'the user has no `username`');
    return [readUser(each, username, place)];
  });
}

function isServiceAccount(found: ExportPart): boolean {
  return at(found, 'serviceAccountClientId').value !== undefined;
}

/** Puts the roles of service accounts into the access tokens of their clients. The preset replaces them in tokens of users. */
export function addServiceAccounts(found: ExportPart, clients: readonly ClientDraft[], place: UserPlace): void {
  const byId = new Map(clients.map(client => [client.entry.client_id, client]));
  for (const each of recordsIn(found).filter(isServiceAccount)) {
    tellLost(each, userUses, 'a user');
    const client = byId.get(textIn(at(each, 'serviceAccountClientId')) ?? '');
    const { roles, client_roles } = roleClaims(personOf(each, { id: '', username: '' }, place).roles, place.realm);
    if (client === undefined || (roles === undefined && client_roles === undefined)) continue;
    if (roles !== undefined) putClaim(client.access, ['realm_access', 'roles'], roles);
    for (const [id, names] of Object.entries(client_roles ?? {}))
      putClaim(client.access, ['resource_access', id, 'roles'], names);
    if (client_roles !== undefined)
      tell(at(each, 'clientRoles'), '`aud` of the service account does not name these clients');
  }
}

function readUser(found: ExportPart, username: string, place: UserPlace): UserDraft {
  tellLost(found, userUses, 'a user');
  const id = textIn(at(found, 'id')) ?? username;
  const person = personOf(found, { id, username }, place);
  place.budget.spend(8);
  const entry: UserEntry = {
    sub: id,
    ...(username !== id && { username }),
    ...passwordIn(at(found, 'credentials')),
  };
  return { found, person, entry, claims: {}, access: {} };
}

function personOf(
  found: ExportPart,
  named: Pick<Person, 'id' | 'username'>,
  { groups: known, roles, budget }: UserPlace,
): Person {
  const groups = textsIn(at(found, 'groups')).flatMap(path => {
    const group = known.get(path.startsWith('/') ? path : `/${path}`);
    if (group === undefined) tell(at(found, 'groups'), 'names a group that the export does not have');
    return group ?? [];
  });
  budget.spend(groups.length);
  const ofGroups = groups.flatMap(withParents).flatMap(group => group.roles);
  return {
    ...named,
    email: textIn(at(found, 'email')),
    emailVerified: flagIn(at(found, 'emailVerified')) ?? false,
    firstName: textIn(at(found, 'firstName')),
    lastName: textIn(at(found, 'lastName')),
    attributes: attributesIn(at(found, 'attributes')),
    groups,
    roles: roles.resolve([...rolesIn(at(found, 'realmRoles'), at(found, 'clientRoles')), ...ofGroups]),
  };
}

/** The claims that a user has without a mapper. Those of mappers come first. */
export function userEntry({ entry, person, claims, access }: UserDraft, realm: string): UserEntry {
  const { username, email, emailVerified, firstName, lastName, groups } = person;
  const name = fullName(person);
  const own = {
    preferred_username: username,
    ...(name !== undefined && { name }),
    ...(firstName !== undefined && { given_name: firstName }),
    ...(lastName !== undefined && { family_name: lastName }),
    ...(email !== undefined && { email, email_verified: emailVerified }),
    ...roleClaims(person.roles, realm),
    ...(groups.length > 0 && { groups: groups.map(({ path }) => path) }),
  };
  return {
    ...entry,
    claims: { ...own, ...claims },
    ...(Object.keys(access).length > 0 && {
      access_token_claims: access as NonNullable<UserEntry['access_token_claims']>,
    }),
  };
}

const credentialUses: UseTable = {
  ...reads('type value secretData credentialData salt hashedSaltedValue algorithm hashIterations'),
  ...ignores('id createdDate userLabel priority counter digits period device config federationLink'),
  temporary: { lost: 'nobody is asked for a new password' },
};

/** Reads `credentials` of a user: a password as text, or else its hash. Empty without both: then any password is accepted. */
export function passwordIn(found: ExportPart): Pick<UserEntry, 'password' | 'password_hash'> {
  const passwords = recordsIn(found).filter(each => {
    const type = textIn(at(each, 'type')) ?? 'password';
    if (type === 'password') tellLost(each, credentialUses, 'a credential');
    else lose(each, 'factors other than a password are not asked for');
    return type === 'password';
  });
  for (const each of passwords) {
    const value = textIn(at(each, 'value'));
    if (value !== undefined) return { password: value };
    const hash = hashIn(each);
    if (hash !== undefined) return { password_hash: hash };
    const meaning =
      'is a hash that the sandbox cannot check, so any password is accepted: write `password` to demand one';
    tell(each, meaning);
  }
  return {};
}

/** Since version 8 two texts of JSON hold the hash; before, members of the credential did. */
function hashIn(found: ExportPart): string | undefined {
  const [secret, data] = [innerJson(found, 'secretData'), innerJson(found, 'credentialData')];
  const salt = textIn(at(secret, 'salt')) ?? textIn(at(found, 'salt'));
  const key = textIn(at(secret, 'value')) ?? textIn(at(found, 'hashedSaltedValue'));
  const algorithm = textIn(at(data, 'algorithm')) ?? textIn(at(found, 'algorithm'));
  // as keycloak-bcrypt stores it, with its salt and cost
  if (algorithm === 'bcrypt') return key;
  const iterations = numberIn(at(data, 'hashIterations')) ?? numberIn(at(found, 'hashIterations'));
  if (salt === undefined || key === undefined || iterations === undefined) return undefined;
  if (algorithm === 'argon2') return argon2(at(data, 'additionalParameters'), iterations, salt, key);
  const isKnown = ['pbkdf2', 'pbkdf2-sha256', 'pbkdf2-sha512'].includes(algorithm ?? '');
  return isKnown ? phcText(algorithm ?? '', { i: iterations }, salt, key) : undefined;
}

/** Each of its parameters is a list of one text. Version 1.0 of the algorithm has no form that can be checked. */
function argon2(parameters: ExportPart, passes: number, salt: string, key: string): string | undefined {
  const [type, version, memory, lanes] = ['type', 'version', 'memory', 'parallelism'].map(name => {
    const { value, ...place } = at(parameters, name);
    return { ...place, value: Array.isArray(value) ? value[0] : value };
  });
  const [m, p] = [memory, lanes].map(each => each && numberIn(each));
  if (type === undefined || m === undefined || p === undefined) return undefined;
  if (version !== undefined && (textIn(version) ?? '1.3') !== '1.3') return undefined;
  return phcText(`argon2${textIn(type) ?? 'id'}`, { m, t: passes, p }, salt, key);
}

function innerJson(found: ExportPart, name: string): ExportPart {
  const part = at(found, name);
  const read = readJson(textIn(part) ?? '{}');
  return { ...part, value: 'value' in read ? read.value : undefined };
}
