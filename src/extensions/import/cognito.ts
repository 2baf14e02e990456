import { isRecord } from '../../base/text/record.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type { SandboxConfig, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  loses,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
} from './members.ts';
import { readJson } from './read-json.ts';

const userUses: UseTable = {
  ...reads('Username Attributes UserAttributes Enabled Password'),
  ...ignores('UserCreateDate UserLastModifiedDate UserStatus'),
  // cognito-local keeps them for a login that has begun
  ...ignores('RefreshTokens ConfirmationCode AttributeVerificationCode MFACode UnverifiedAttributeChanges'),
  ...loses('second factors are not asked for', 'MFAOptions UserMFASettingList PreferredMfaSetting'),
  ...loses('second factors are not asked for', 'SoftwareTokenMfaConfiguration'),
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
export function importCognitoUsers(found: ExportPart): SandboxConfig {
  const isTable = Array.isArray(found.value);
  const users = isTable ? recordsIn(found).flatMap(rowIn) : listIn(found);
  tell(isTable ? found : at(found, 'Users'), 'have no passwords, so any password is accepted');
  return configOf(found, { users });
}

function listIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  tellLost(found, { Users: 'read', PaginationToken: { lost: 'the export has more pages' } }, 'the export');
  return recordsIn(at(found, 'Users')).flatMap(each => listedUser(each));
}

/** A user as the user pool API describes one; the files of cognito-local have passwords besides. */
export function listedUser(found: ExportPart, groups: readonly string[] = []): readonly Drafted<UserEntry>[] {
  if (flagIn(at(found, 'Enabled')) === false) return leftOut(found, 'the user is disabled');
  tellLost(found, userUses, 'a user');
  const pairs = [...recordsIn(at(found, 'Attributes')), ...recordsIn(at(found, 'UserAttributes'))];
  const attributes = pairs.flatMap(pair => {
    const name = textIn(at(pair, 'Name'));
    return name === undefined ? [] : [[name, at(pair, 'Value')] as const];
  });
  const password = textIn(at(found, 'Password'));
  return userFrom(found, textIn(at(found, 'Username')), attributes, {
    ...(password !== undefined && { password }),
    ...(groups.length > 0 && { groups }),
  });
}

function rowIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  const names = isRecord(found.value) ? Object.keys(found.value) : [];
  const columns = names.filter(name => !['cognito:username', 'cognito:mfa_enabled'].includes(name));
  const attributes = columns.map(name => [name, at(found, name)] as const);
  return userFrom(found, textIn(at(found, 'cognito:username')), attributes);
}

function userFrom(
  found: ExportPart,
  username: string | undefined,
  attributes: readonly (readonly [name: string, value: ExportPart])[],
  { password, groups }: { readonly password?: string; readonly groups?: readonly string[] } = {},
): readonly Drafted<UserEntry>[] {
  if (username === undefined) return leftOut(found, 'the user has no name');
  const { sub, ...claims } = Object.fromEntries(attributes.map(([name, value]) => [name, claimOf(name, value)]));
  const named = { ...claims, ...(groups && { groups: [...groups] }), 'cognito:username': username };
  const subject = typeof sub === 'string' ? sub : username;
  return [{ found, entry: userOf({ sub: subject, username, ...(password !== undefined && { password }) }, named) }];
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
