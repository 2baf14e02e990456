import { addTo } from '../../base/text/add-to.ts';
import { isRecord } from '../../base/text/record.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type {
  ClientEntry,
  GrantType,
  JsonObject,
  SandboxConfig,
  UserEntry,
} from '../../sandbox/config/sandbox-config.ts';
import { type Budget, createBudget } from './budget.ts';
import { type ClaimValues, configOf, type Drafted, type DraftedScope, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  listIn,
  lose,
  numberIn,
  opened,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
  valueIn,
} from './members.ts';
import { readJson, readYamlText } from './read-text.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

// Configuration of Soluto/oidc-server-mock, in the classes of Duende's IdentityServer.
const optionUses: UseTable = {
  ...reads('CLIENTS_CONFIGURATION_INLINE USERS_CONFIGURATION_INLINE API_SCOPES_INLINE API_RESOURCES_INLINE'),
  ...reads('IDENTITY_RESOURCES_INLINE'),
  ...ignores('OVERRIDE_STANDARD_IDENTITY_RESOURCES'),
  SERVER_OPTIONS_INLINE: { lost: 'the sandbox has settings of its own: grantbox --help lists them' },
  LOGIN_OPTIONS_INLINE: { lost: 'the sign-in page has no options' },
  LOGOUT_OPTIONS_INLINE: { lost: 'the logout page has no options' },
  ASPNET_SERVICES_OPTIONS_INLINE: { lost: 'a base path is the path of ISSUER' },
};

const userUses: UseTable = {
  ...reads('SubjectId Username Password Claims IsActive'),
  ProviderName: { lost: 'identity brokering is not served' },
  ProviderSubjectId: { lost: 'identity brokering is not served' },
};

const scopeUses: UseTable = {
  ...reads('Name DisplayName Description UserClaims ClaimTypes Scopes'),
  ...ignores('Enabled Required Emphasize ShowInDiscoveryDocument Properties'),
  ApiSecrets: { lost: 'introspection is for clients: add one with this secret' },
};

/** Whether it has variables of the mock; `withMockLists` gives the lists in files these names. */
export function isOidcServerMock(value: unknown): boolean {
  return isRecord(value) && Object.keys(optionUses).some(name => Object.hasOwn(value, name));
}

/**
 * Turns the variables of oidc-server-mock into clients, users and scopes.
 * @throws ExportTooLarge
 */
export async function importOidcServerMock(found: ExportPart): Promise<SandboxConfig> {
  tellLost(found, optionUses, 'the configuration');
  const part = (name: string) => optionPart(at(found, name));
  const [clients, users, apiScopes, apis, identities] = await Promise.all([
    part('CLIENTS_CONFIGURATION_INLINE'),
    part('USERS_CONFIGURATION_INLINE'),
    part('API_SCOPES_INLINE'),
    part('API_RESOURCES_INLINE'),
    part('IDENTITY_RESOURCES_INLINE'),
  ]);
  const budget = createBudget();
  const audiences = audiencesOf(apis);
  const ofApis = [...recordsIn(apiScopes), ...recordsIn(apis)].flatMap(each => textsIn(at(each, 'UserClaims')));
  const access = new Set(ofApis);
  const config = configOf(found, {
    clients: recordsIn(clients).flatMap(each => clientOf(each, audiences, budget)),
    users: recordsIn(users).flatMap(each => userIn(each, access)),
    scopes: [...recordsIn(apiScopes).flatMap(scopeOf), ...recordsIn(identities).flatMap(scopeOf)],
  });
  for (const each of recordsIn(apis)) tellLost(each, scopeUses, 'an API resource');
  return config;
}

/** A variable is text with JSON or YAML in it; in a file of its own it can be the list itself. */
async function optionPart(found: ExportPart): Promise<ExportPart> {
  if (typeof found.value !== 'string') return found;
  const read = await readYamlText(found.value);
  if ('problem' in read) leftOut(found, read.problem);
  return opened(found, 'value' in read ? read.value : undefined);
}

function userIn(found: ExportPart, ofApis: ReadonlySet<string>): readonly Drafted<UserEntry>[] {
  const sub = textIn(at(found, 'SubjectId'));
  if (flagIn(at(found, 'IsActive')) === false) return leftOut(found, 'the user is not active');
  if (sub === undefined) return leftOut(found, 'it has no `SubjectId`');
  tellLost(found, userUses, 'a user');
  const password = textIn(at(found, 'Password'));
  const username = textIn(at(found, 'Username')) ?? sub;
  const claims: ClaimValues = typedClaims(at(found, 'Claims'));
  return [{ found, entry: userOf({ sub, username, ...(password !== undefined && { password }) }, claims, ofApis) }];
}

function scopeOf(found: ExportPart): readonly DraftedScope[] {
  tellLost(found, scopeUses, 'a scope');
  const name = textIn(at(found, 'Name'));
  if (name === undefined) return [];
  const description = textIn(at(found, 'Description')) ?? textIn(at(found, 'DisplayName'));
  const claims = [...textsIn(at(found, 'UserClaims')), ...textsIn(at(found, 'ClaimTypes'))].filter(
    claim => claim !== 'sub',
  );
  const entry = { ...(description !== undefined && { description }), ...(claims.length > 0 && { claims }) };
  return Object.keys(entry).length === 0 ? [] : [{ found, name, entry }];
}

const clientUses: UseTable = {
  ...reads('ClientId ClientName ClientSecrets AllowedGrantTypes Enabled RedirectUris PostLogoutRedirectUris'),
  ...reads('AllowedCorsOrigins AllowedScopes AllowOfflineAccess RequirePkce RequireClientSecret RequireConsent'),
  ...reads('AccessTokenLifetime IdentityTokenLifetime AbsoluteRefreshTokenLifetime AlwaysIncludeUserClaimsInIdToken'),
  ...reads('Claims ClientClaimsPrefix RefreshTokenUsage BackChannelLogoutUri FrontChannelLogoutUri ClientUri LogoUri'),
  ...ignores('Description ProtocolType AllowAccessTokensViaBrowser AllowRememberConsent AlwaysSendClientClaims'),
  ...ignores('Properties EnableLocalLogin IncludeJwtId BackChannelLogoutSessionRequired'),
  ...ignores('FrontChannelLogoutSessionRequired RefreshTokenExpiration'),
  AllowPlainTextPkce: { lost: 'PKCE with `plain` is refused: `S256` is required' },
  AccessTokenType: { lost: 'access tokens are JWTs', usual: 'Jwt' },
  IdentityProviderRestrictions: { lost: 'identity brokering is not served' },
  SlidingRefreshTokenLifetime: { lost: 'refresh tokens have one lifetime: `refresh_token_lifetime`' },
};

const grants: Readonly<Record<string, readonly GrantType[]>> = {
  authorization_code: ['authorization_code'],
  client_credentials: ['client_credentials'],
  implicit: ['implicit'],
  hybrid: ['authorization_code', 'implicit'],
  password: ['password'],
  refresh_token: ['refresh_token'],
  'urn:ietf:params:oauth:grant-type:device_code': ['urn:ietf:params:oauth:grant-type:device_code'],
  'urn:openid:params:grant-type:ciba': ['urn:openid:params:grant-type:ciba'],
};

/** Reads a client of IdentityServer. `audiences` are the APIs by scope. */
function clientOf(
  found: ExportPart,
  audiences: ReadonlyMap<string, readonly string[]>,
  budget: Budget,
): readonly Drafted<ClientEntry>[] {
  const client_id = textIn(at(found, 'ClientId'));
  const problem = client_id === undefined ? 'it has no `ClientId`' : 'it is disabled';
  const isOff = flagIn(at(found, 'Enabled')) === false;
  if (client_id === undefined || isOff) return leftOut(found, problem);
  tellLost(found, clientUses, 'a client');
  const grant_types = grantsOf(found);
  const scopes = textsIn(at(found, 'AllowedScopes'));
  const named = scopes.map(scope => audiences.get(scope) ?? []);
  for (const { length } of named) budget.spend(length);
  const audience = [...new Set(named.flat())];
  const entry: ClientEntry = {
    client_id,
    ...textMember('client_name', at(found, 'ClientName')),
    ...secretOf(found),
    grant_types,
    ...addresses(found, grant_types),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(audience.length > 0 && { audience }),
    ...optionsOf(found),
  };
  return [{ found, entry }];
}

function grantsOf(found: ExportPart): readonly GrantType[] {
  const named = listIn(at(found, 'AllowedGrantTypes')).flatMap(each => {
    const name = textIn(each) ?? '';
    const known = Object.hasOwn(grants, name) ? grants[name] : undefined;
    if (known === undefined) tell(each, 'a grant that the sandbox does not have');
    return known ?? [];
  });
  const isOffline = flagIn(at(found, 'AllowOfflineAccess')) === true;
  const all = [...new Set([...named, ...(isOffline ? (['refresh_token'] as const) : [])])];
  return all.length === 0 ? ['authorization_code'] : all;
}

/** A secret is text here, or `{ Value }`. */
function secretOf(found: ExportPart): Pick<ClientEntry, 'client_secret'> {
  const [first, second] = listIn(at(found, 'ClientSecrets'));
  if (second !== undefined) lose(second, 'a client has one secret: the first');
  if (first === undefined) return {};
  valueIn(first);
  if (flagIn(at(found, 'RequireClientSecret')) === false) return {};
  return textMember('client_secret', isRecord(first.value) ? at(first, 'Value') : first);
}

function addresses(found: ExportPart, all: readonly GrantType[]): ReturnType<typeof addressMembers> {
  const login = keptUris(listIn(at(found, 'RedirectUris')));
  const logout = keptUris(listIn(at(found, 'PostLogoutRedirectUris')));
  const origins = textsIn(at(found, 'AllowedCorsOrigins'));
  const isNeeded = all.includes('authorization_code') || all.includes('implicit');
  return addressMembers({ login, logout, origins }, { place: at(found, 'RedirectUris'), isNeeded });
}

function optionsOf(found: ExportPart): Partial<ClientEntry> {
  const isOn = (name: string) => flagIn(at(found, name)) === true;
  const prefix = valueIn(at(found, 'ClientClaimsPrefix')) ?? 'client_';
  const claims = Object.entries(typedClaims(at(found, 'Claims'))).map(([name, value]) => [`${prefix}${name}`, value]);
  return {
    ...(isOn('RequireConsent') && { require_consent: true }),
    ...(isOn('RequirePkce') && { require_pkce: true }),
    ...(isOn('AlwaysIncludeUserClaimsInIdToken') && { id_token_claims: 'all' as const }),
    ...lifetime('access_token_lifetime', at(found, 'AccessTokenLifetime')),
    ...lifetime('id_token_lifetime', at(found, 'IdentityTokenLifetime')),
    ...lifetime('refresh_token_lifetime', at(found, 'AbsoluteRefreshTokenLifetime')),
    ...(/^reuse$/i.test(String(valueIn(at(found, 'RefreshTokenUsage')))) && { refresh_token_rotation: false }),
    ...textMember('backchannel_logout_uri', at(found, 'BackChannelLogoutUri')),
    ...textMember('frontchannel_logout_uri', at(found, 'FrontChannelLogoutUri')),
    ...textMember('client_uri', at(found, 'ClientUri')),
    ...(claims.length > 0 && { access_token_claims: Object.fromEntries(claims) as JsonObject }),
  };
}

function textMember(name: keyof ClientEntry, found: ExportPart): Partial<ClientEntry> {
  const text = textIn(found);
  return text === undefined ? {} : { [name]: text };
}

function lifetime(name: keyof ClientEntry, found: ExportPart): Partial<ClientEntry> {
  const seconds = numberIn(found);
  return seconds === undefined || seconds === 0 ? {} : { [name]: seconds };
}

/** Claims of `{ Type, Value, ValueType }`; one that is there more than once is a list. */
function typedClaims(found: ExportPart): ClaimValues {
  const claims = new Map<string, JsonValue[]>();
  for (const each of recordsIn(found)) {
    const [name, value] = [textIn(at(each, 'Type')), claimValue(each)];
    if (name !== undefined && value !== undefined) addTo(claims, name, value);
  }
  return Object.fromEntries([...claims].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** Claims that are booleans in OpenID Connect (OIDC Core §5.1), also where the export has them as text. */
const booleans = ['email_verified', 'phone_number_verified'];

function claimValue(found: ExportPart): JsonValue | undefined {
  const value = valueIn(at(found, 'Value'));
  const type = textIn(at(found, 'ValueType'))?.toLowerCase().replace(/^.*#/, '');
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  const text = textIn(at(found, 'Value'));
  const isBoolean = type === 'boolean' || booleans.includes(textIn(at(found, 'Type')) ?? '');
  if (text === undefined || type === undefined || type === 'string') return isBoolean ? asBoolean(text) : text;
  if (isBoolean) return asBoolean(text);
  // Newtonsoft's reader, which the mock uses, takes single quotes, too
  const read = readJson(type === 'json' ? text.replaceAll("'", '"') : text);
  if ('value' in read) return read.value as JsonValue; // parsed JSON
  tell(found, `the value is text here, because it is not of the type ${type.slice(0, 40)}`);
  return text;
}

function asBoolean(text: string | undefined): JsonValue | undefined {
  return text === undefined || !/^(true|false)$/i.test(text) ? text : text.toLowerCase() === 'true';
}

/** The API of each scope, which is the audience of tokens with it. */
function audiencesOf(apis: ExportPart): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const api of recordsIn(apis)) {
    const name = textIn(at(api, 'Name'));
    if (name !== undefined) for (const scope of [...textsIn(at(api, 'Scopes')), name]) addTo(found, scope, name);
  }
  return found;
}
