import type { JsonValue } from '../config/json.ts';
import type { SandboxConfig, UserEntry } from '../config/sandbox-config.ts';
import { isRecord } from '../text/record.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
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
} from './members.ts';
import { readJson } from './read-json.ts';

const userUses: UseTable = {
  ...reads('Username Attributes UserAttributes Enabled'),
  ...ignores('UserCreateDate UserLastModifiedDate UserStatus'),
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
export function importCognitoUsers(found: ExportPart): SandboxConfig {
  const isTable = Array.isArray(found.value);
  const users = isTable ? recordsIn(found).flatMap(rowIn) : listIn(found);
  tell(isTable ? found : at(found, 'Users'), 'have no passwords, so any password is accepted');
  return configOf(found, { users });
}

function listIn(found: ExportPart): readonly Drafted<UserEntry>[] {
  tellLost(found, { Users: 'read', PaginationToken: { lost: 'the export has more pages' } }, 'the export');
  return recordsIn(at(found, 'Users')).flatMap(each => {
    if (flagIn(at(each, 'Enabled')) === false) return leftOut(each, 'the user is disabled');
    tellLost(each, userUses, 'a user');
    const pairs = [...recordsIn(at(each, 'Attributes')), ...recordsIn(at(each, 'UserAttributes'))];
    const attributes = pairs.flatMap(pair => {
      const name = textIn(at(pair, 'Name'));
      return name === undefined ? [] : [[name, at(pair, 'Value')] as const];
    });
    return userFrom(each, textIn(at(each, 'Username')), attributes);
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
): readonly Drafted<UserEntry>[] {
  if (username === undefined) return leftOut(found, 'the user has no name');
  const { sub, ...claims } = Object.fromEntries(attributes.map(([name, value]) => [name, claimOf(name, value)]));
  const named = { ...claims, 'cognito:username': username };
  return [{ found, entry: userOf({ sub: typeof sub === 'string' ? sub : username, username }, named) }];
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
