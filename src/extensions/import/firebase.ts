import { isRecord } from '../../base/text/record.ts';
import type { SandboxConfig, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { type ClaimValues, configOf, type Drafted, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
  valueIn,
} from './members.ts';
import { readJson } from './read-text.ts';

const userUses: UseTable = {
  ...reads('localId email emailVerified displayName photoUrl phoneNumber disabled customAttributes passwordHash'),
  ...reads('providerUserInfo'),
  ...ignores(
    'salt version createdAt lastSignedInAt lastLoginAt lastRefreshAt validSince passwordUpdatedAt initialEmail',
  ),
  mfaInfo: { lost: 'second factors are not asked for' },
  tenantId: { lost: 'tenants are not kept apart' },
};

/** Whether it is the file of `firebase auth:export`. */
export function isFirebaseExport(value: unknown): boolean {
  const [first] = isRecord(value) && Array.isArray(value.users) ? value.users : [];
  return isRecord(first) && typeof first.localId === 'string';
}

/** Turns the file of `firebase auth:export` into users. */
export function importFirebaseUsers(found: ExportPart): SandboxConfig {
  tellLost(found, { users: 'read', kind: 'none' }, 'the export');
  return configOf(found, { users: recordsIn(at(found, 'users')).flatMap(userIn) });
}

function userIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  const text = (name: string) => textIn(at(found, name));
  const sub = text('localId');
  if (flagIn(at(found, 'disabled')) === true) return leftOut(found, 'the user is disabled');
  if (sub === undefined) return leftOut(found, 'it has no `localId`');
  tellLost(found, userUses, 'a user');
  for (const each of recordsIn(at(found, 'providerUserInfo'))) {
    valueIn(each);
    if (!['password', 'phone'].includes(textIn(at(each, 'providerId')) ?? ''))
      tell(each, 'identity brokering is not served: the user signs in here');
  }
  const [email, phone] = [text('email'), text('phoneNumber')];
  const custom = customClaims(at(found, 'customAttributes'));
  const claims: ClaimValues = {
    name: text('displayName'),
    picture: text('photoUrl'),
    email,
    ...(email !== undefined && { email_verified: flagIn(at(found, 'emailVerified')) ?? false }),
    phone_number: phone,
    ...(phone !== undefined && { phone_number_verified: true }),
    ...custom,
  };
  return [
    {
      found,
      entry: userOf({ sub, username: email ?? sub, ...passwordOf(found) }, claims, new Set(Object.keys(custom))),
    },
  ];
}

/** The emulator writes passwords as text, with the form of a hash. */
function passwordOf(found: ExportPart): Pick<UserEntry, 'password'> {
  const hash = textIn(at(found, 'passwordHash'));
  const password = /^fakeHash:salt=[^:]*:password=(.+)$/s.exec(hash ?? '')?.[1];
  if (password !== undefined) return { password };
  if (hash !== undefined) tell(at(found, 'passwordHash'), 'needs the key of the project, so any password is accepted');
  return {};
}

/** Custom claims are in each token of Firebase. */
function customClaims(found: ExportPart): ClaimValues {
  const read = readJson(textIn(found) ?? '{}');
  if ('value' in read && isRecord(read.value)) return read.value as ClaimValues; // parsed JSON
  tell(found, 'left out, because it is not JSON');
  return {};
}
