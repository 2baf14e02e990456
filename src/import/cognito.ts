import type { JsonValue } from '../config/json.ts';
import { isRecord } from '../text/record.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import type { Imported } from './imported.ts';
import { at, type ExportPart, flagIn, recordsIn, tellLost, textIn, type UseTable } from './members.ts';
import { createNotes } from './notes.ts';
import { readJson } from './read-json.ts';

const userUses: UseTable = {
  ...{ Username: 'read', Attributes: 'read', UserAttributes: 'read', Enabled: 'read', UserCreateDate: 'none' },
  ...{ UserLastModifiedDate: 'none', UserStatus: 'none' },
  MFAOptions: { lost: 'second factors are not asked for' },
};

/** Whether it is the answer of `list-users`, or the table of an import of users. */
export function isCognitoExport(value: unknown): boolean {
  if (isRecord(value)) {
    const [first] = Array.isArray(value.Users) ? value.Users : [];
    return isRecord(first) && typeof first.Username === 'string';
  }
  const [first] = Array.isArray(value) ? value : [];
  return isRecord(first) && typeof first['cognito:username'] === 'string';
}

/** Turns the users of a pool into users. No export of a pool has passwords. */
export function importCognitoUsers(value: unknown): Imported {
  const notes = createNotes();
  const found: ExportPart = { path: [], notes, value };
  const users = Array.isArray(value) ? recordsIn(found).flatMap(rowIn) : listIn(found);
  notes.tell(isRecord(value) ? ['Users'] : [], 'have no passwords, so any password is accepted');
  return { config: configOf(found, { users }), notes: notes.lines() };
}

function listIn(found: ExportPart): readonly Drafted<ReturnType<typeof userOf>>[] {
  tellLost(found, { Users: 'read', PaginationToken: { lost: 'the export has more pages' } }, 'the export');
  return recordsIn(at(found, 'Users')).flatMap(each => {
    const isOff = flagIn(at(each, 'Enabled')) === false;
    if (isOff) each.notes.tell(each.path, 'left out, because the user is disabled');
    if (isOff) return [];
    tellLost(each, userUses, 'a user');
    const attributes = [...recordsIn(at(each, 'Attributes')), ...recordsIn(at(each, 'UserAttributes'))].flatMap(
      pair => {
        const name = textIn(at(pair, 'Name'));
        return name === undefined ? [] : [[name, at(pair, 'Value')] as const];
      },
    );
    return userFrom(each, textIn(at(each, 'Username')), attributes);
  });
}

function rowIn(found: ExportPart): readonly Drafted<ReturnType<typeof userOf>>[] {
  const names = isRecord(found.value) ? Object.keys(found.value) : [];
  const columns = names.filter(name => !['cognito:username', 'cognito:mfa_enabled'].includes(name));
  const username = textIn(at(found, 'cognito:username'));
  return userFrom(
    found,
    username,
    columns.map(name => [name, at(found, name)] as const),
  );
}

function userFrom(
  found: ExportPart,
  username: string | undefined,
  attributes: readonly (readonly [name: string, value: ExportPart])[],
): readonly Drafted<ReturnType<typeof userOf>>[] {
  if (username === undefined) found.notes.tell(found.path, 'left out, because the user has no name');
  if (username === undefined) return [];
  const { sub, ...claims } = Object.fromEntries(attributes.map(([name, value]) => [name, claimOf(name, value)]));
  const names = { 'cognito:username': username };
  return [
    { found, entry: userOf({ sub: typeof sub === 'string' ? sub : username, username }, { ...claims, ...names }) },
  ];
}

/** Attributes are texts; some standard claims are not (OIDC Core §5.1). */
function claimOf(name: string, found: ExportPart): JsonValue | undefined {
  const text = textIn(found);
  if (text === undefined) return undefined;
  if (/_verified$/.test(name)) return text.toLowerCase() === 'true';
  if (name === 'updated_at') return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (name !== 'address') return text;
  const read = readJson(text);
  // parsed JSON, or the address on one line
  return 'value' in read && isRecord(read.value) ? (read.value as JsonValue) : { formatted: text };
}
