import { isRecord } from '../text/record.ts';
import { type ClaimValues, configOf, type Drafted, userOf } from './drafts.ts';
import type { Imported } from './imported.ts';
import { at, type ExportPart, flagIn, recordsIn, tellLost, textIn, type UseTable } from './members.ts';
import { createNotes } from './notes.ts';
import { readJson } from './read-json.ts';

const userUses: UseTable = {
  ...{
    localId: 'read',
    email: 'read',
    emailVerified: 'read',
    displayName: 'read',
    photoUrl: 'read',
    phoneNumber: 'read',
  },
  ...{
    disabled: 'read',
    customAttributes: 'read',
    passwordHash: 'read',
    salt: 'none',
    version: 'none',
    createdAt: 'none',
  },
  ...{
    lastSignedInAt: 'none',
    lastLoginAt: 'none',
    lastRefreshAt: 'none',
    validSince: 'none',
    passwordUpdatedAt: 'none',
  },
  providerUserInfo: { lost: 'identity brokering is not served: the user logs in here' },
  mfaInfo: { lost: 'second factors are not asked for' },
  tenantId: { lost: 'tenants are not kept apart' },
};

/** Whether it is the file of `firebase auth:export`. */
export function isFirebaseExport(value: unknown): boolean {
  const [first] = isRecord(value) && Array.isArray(value.users) ? value.users : [];
  return isRecord(first) && typeof first.localId === 'string';
}

/** Turns the file of `firebase auth:export` into users. */
export function importFirebaseUsers(value: unknown): Imported {
  const notes = createNotes();
  const found: ExportPart = { path: [], notes, value };
  tellLost(found, { users: 'read' }, 'the export');
  return { config: configOf(found, { users: recordsIn(at(found, 'users')).flatMap(userIn) }), notes: notes.lines() };
}

function userIn(found: ExportPart): readonly Drafted<ReturnType<typeof userOf>>[] {
  const text = (name: string) => textIn(at(found, name));
  const sub = text('localId');
  const isOff = flagIn(at(found, 'disabled')) === true;
  if (sub === undefined || isOff)
    found.notes.tell(found.path, `left out, because ${isOff ? 'the user is disabled' : 'it has no `localId`'}`);
  if (sub === undefined || isOff) return [];
  tellLost(found, userUses, 'a user');
  if (text('passwordHash') !== undefined)
    found.notes.tell([...found.path, 'passwordHash'], 'needs the key of the project, so any password is accepted');
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
  return [{ found, entry: userOf({ sub, username: email ?? sub }, claims, new Set(Object.keys(custom))) }];
}

/** Custom claims are in each token of Firebase. */
function customClaims(found: ExportPart): ClaimValues {
  const read = readJson(textIn(found) ?? '{}');
  if ('value' in read && isRecord(read.value)) return read.value as ClaimValues; // parsed JSON
  found.notes.tell(found.path, 'left out, because it is not JSON');
  return {};
}
