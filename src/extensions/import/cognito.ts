import { isRecord } from '../../base/text/record.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type { ClientEntry, GrantType, SandboxConfig, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { configOf, type Drafted, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  entriesIn,
  flagIn,
  ignores,
  leftOut,
  listIn,
  loses,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from './members.ts';
import { readJson } from './read-text.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

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
  const users = isTable ? recordsIn(found).flatMap(rowIn) : usersListed(found);
  tell(isTable ? found : at(found, 'Users'), 'have no passwords, so any password is accepted');
  return configOf(found, { users });
}

function usersListed(found: ExportPart): readonly Drafted<UserEntry>[] {
  tellLost(found, { Users: 'read', PaginationToken: { lost: 'the export has more pages' } }, 'the export');
  return recordsIn(at(found, 'Users')).flatMap(each => listedUser(each));
}

/** A user as the user pool API describes one; the files of cognito-local have passwords besides. */
function listedUser(found: ExportPart, groups: readonly string[] = []): readonly Drafted<UserEntry>[] {
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

const clientUses: UseTable = {
  ...reads('ClientId ClientName ClientSecret AllowedOAuthFlows AllowedOAuthScopes CallbackURLs LogoutURLs'),
  ...reads('AccessTokenValidity IdTokenValidity RefreshTokenValidity TokenValidityUnits'),
  ...ignores('UserPoolId CreationDate LastModifiedDate ExplicitAuthFlows DefaultRedirectURI EnableTokenRevocation'),
  ...ignores('AllowedOAuthFlowsUserPoolClient PreventUserExistenceErrors'),
  ...loses('all attributes can be read and written', 'ReadAttributes WriteAttributes'),
  ...loses('identity brokering is not served', 'SupportedIdentityProviders'),
  AnalyticsConfiguration: { lost: 'nothing is sent to Pinpoint' },
};

const groupUses: UseTable = {
  ...reads('GroupName members'),
  ...ignores('Description CreationDate LastModifiedDate'),
  ...loses('roles of a group are not in tokens: write `claims.roles` of the users', 'RoleArn Precedence'),
};

/** Whether it is the `clients.json` or the file of a pool in the folder `.cognito/db` of cognito-local. */
export function isCognitoLocal(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { Clients, Options, Users } = value;
  return (
    isRecord(Clients) ||
    (isRecord(Options) && typeof Options.Id === 'string' && (Users === undefined || isRecord(Users)))
  );
}

/** Turns a file of cognito-local into clients, or into the users of a pool, with the passwords that it keeps as text. */
export function importCognitoLocal(found: ExportPart): SandboxConfig {
  tellLost(found, reads('Clients Options Users Groups'), 'the database');
  const options = at(found, 'Options');
  if (isRecord(options.value)) tellPool(options);
  const groups = groupsOf(at(found, 'Groups'));
  const users = entriesIn(at(found, 'Users')).flatMap(([name, each]) => listedUser(each, groups.get(name)));
  return configOf(found, { clients: entriesIn(at(found, 'Clients')).flatMap(([, each]) => clientOf(each)), users });
}

/** Each pool has the same other options, unless somebody changed them. */
function tellPool(options: ExportPart): void {
  const id = textIn(at(options, 'Id'));
  tellLost(options, { Id: 'none', ...pool }, 'a pool');
  tell(at(options, 'Id'), `the preset has the pool: PRESET=cognito,pool=${id?.slice(0, 60)}`);
}

const settings = 'settings of the pool are those of the preset cognito';
const pool: UseTable = {
  ...ignores('Name Arn CreationDate LastModifiedDate Status EstimatedNumberOfUsers UsernameConfiguration'),
  ...ignores('Policies SchemaAttributes VerificationMessageTemplate EmailConfiguration AdminCreateUserConfig'),
  ...loses(settings, 'LambdaConfig UsernameAttributes AliasAttributes AutoVerifiedAttributes DeletionProtection'),
  ...loses('second factors are not asked for', 'SoftwareTokenMfaConfiguration SmsConfiguration'),
  MfaConfiguration: { lost: 'second factors are not asked for', usual: 'OFF' },
};

/** The groups of each user, by the name that they log in by. */
function groupsOf(found: ExportPart): ReadonlyMap<string, readonly string[]> {
  const byUser = new Map<string, string[]>();
  for (const [key, each] of entriesIn(found)) {
    tellLost(each, groupUses, 'a group');
    const name = textIn(at(each, 'GroupName')) ?? key;
    for (const user of textsIn(at(each, 'members'))) byUser.set(user, [...(byUser.get(user) ?? []), name]);
  }
  return byUser;
}

const flows: Readonly<Record<string, GrantType>> = {
  code: 'authorization_code',
  implicit: 'implicit',
  client_credentials: 'client_credentials',
};

function clientOf(found: ExportPart): readonly Drafted<ClientEntry>[] {
  const client_id = textIn(at(found, 'ClientId'));
  if (client_id === undefined) return leftOut(found, 'it has no `ClientId`');
  tellLost(found, clientUses, 'a client');
  const named = textsIn(at(found, 'AllowedOAuthFlows')).flatMap(name => flows[name] ?? []);
  const grants: readonly GrantType[] = named.length === 0 ? ['authorization_code'] : named;
  const isLogin = grants.some(grant => grant !== 'client_credentials');
  const scopes = textsIn(at(found, 'AllowedOAuthScopes'));
  const [name, secret] = [textIn(at(found, 'ClientName')), textIn(at(found, 'ClientSecret'))];
  const place = at(found, 'CallbackURLs');
  const [login, logout] = [keptUris(listIn(place)), keptUris(listIn(at(found, 'LogoutURLs')))];
  const entry: ClientEntry = {
    client_id,
    ...(name !== undefined && { client_name: name }),
    ...(secret !== undefined && { client_secret: secret }),
    grant_types: grants.includes('authorization_code') ? [...grants, 'refresh_token'] : grants,
    ...addressMembers({ login, logout, origins: [] }, { place, isNeeded: isLogin }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...lifetime('access_token_lifetime', found, 'AccessToken', 'hours'),
    ...lifetime('id_token_lifetime', found, 'IdToken', 'hours'),
    ...lifetime('refresh_token_lifetime', found, 'RefreshToken', 'days'),
  };
  return [{ found, entry }];
}

const units: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

function lifetime(member: keyof ClientEntry, found: ExportPart, name: string, usual: string): Partial<ClientEntry> {
  const validity = numberIn(at(found, `${name}Validity`)) ?? 0;
  const unit = textIn(at(at(found, 'TokenValidityUnits'), name)) ?? usual;
  const seconds = validity * (units[unit] ?? 0);
  return seconds === 0 ? {} : { [member]: seconds };
}
