import { isRecord } from '../../base/text/record.ts';
import type { ClientEntry, GrantType, SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import { listedUser } from './cognito.ts';
import { configOf, type Drafted } from './drafts.ts';
import {
  at,
  type ExportPart,
  entriesIn,
  ignores,
  leftOut,
  listIn,
  loses,
  numberIn,
  reads,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from './members.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

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
