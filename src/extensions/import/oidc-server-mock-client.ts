import { isRecord } from '../../base/text/record.ts';
import type { ClientEntry, GrantType, JsonObject } from '../../sandbox/config/sandbox-config.ts';
import type { Budget } from './budget.ts';
import type { Drafted } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  listIn,
  lose,
  numberIn,
  reads,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
  valueIn,
} from './members.ts';
import { typedClaims } from './oidc-server-mock-claims.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

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
export function clientOf(
  found: ExportPart,
  audiences: ReadonlyMap<string, readonly string[]>,
  budget: Budget,
): readonly Drafted<ClientEntry>[] {
  const client_id = textIn(at(found, 'ClientId'));
  const fault = client_id === undefined ? 'it has no `ClientId`' : 'it is disabled';
  const isOff = flagIn(at(found, 'Enabled')) === false;
  if (client_id === undefined || isOff) return leftOut(found, fault);
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
