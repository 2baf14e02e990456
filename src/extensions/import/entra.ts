import { isRecord } from '../../base/text/record.ts';
import type { ClientEntry, GrantType, SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import { configOf, type DraftedScope } from './drafts.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  listIn,
  lose,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from './members.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

const claims = 'put these claims into `claims` and `access_token_claims` of the users';
const keys = 'write `jwks` to the client to use its keys';

// The manifest of Azure AD Graph, and that of Microsoft Graph, which has groups of members for each platform.
const manifestUses: UseTable = {
  ...reads('appId displayName name replyUrlsWithType replyUrls spa web publicClient identifierUris oauth2Permissions'),
  ...reads(
    'api logoutUrl oauth2AllowImplicitFlow oauth2AllowIdTokenImplicitFlow passwordCredentials allowPublicClient',
  ),
  ...reads('isFallbackPublicClient'),
  ...ignores(
    'logoUrl id createdDateTime accessTokenAcceptedVersion signInAudience publisherDomain tags info description',
  ),
  ...ignores(
    'notes uniqueName deletedDateTime applicationTemplateId oauth2RequirePostResponse parentalControlSettings',
  ),
  ...ignores('orgRestrictions certification homepage signInUrl errorUrl informationalUrls verifiedPublisher'),
  ...ignores(
    'disabledByMicrosoftStatus isDeviceOnlyAuthSupported serviceManagementReference preAuthorizedApplications',
  ),
  ...ignores('knownClientApplications requestSignatureVerification nativeAuthenticationApisEnabled'),
  ...ignores('servicePrincipalLockConfiguration acceptMappedClaims @odata.context defaultRedirectUri'),
  ...ignores('authenticationBehaviors'),
  appRoles: { lost: 'roles belong to users here: write them as `claims.roles`' },
  groupMembershipClaims: { lost: 'groups are `claims.groups` of the users' },
  optionalClaims: { lost: claims },
  optionalClaimsMapping: { lost: claims },
  keyCredentials: { lost: keys },
  trustedCertificateSubjects: { lost: keys },
  tokenEncryptionKeyId: { lost: keys },
  tokenEncryptionSetting: { lost: keys },
  requiredResourceAccess: { lost: 'permissions of other APIs are not granted: name their scopes in `scope`' },
  samlMetadataUrl: { lost: 'the sandbox does not speak SAML' },
  addIns: { lost: 'add-ins are not served' },
};

const platformUses: UseTable = {
  ...reads('redirectUris logoutUrl implicitGrantSettings'),
  ...ignores('homePageUrl redirectUriSettings'),
};
const apiUses: UseTable = {
  ...reads('oauth2PermissionScopes'),
  ...ignores('acceptMappedClaims knownClientApplications preAuthorizedApplications requestedAccessTokenVersion'),
};
const permissionUses: UseTable = {
  ...reads('value isEnabled userConsentDescription adminConsentDescription'),
  ...ignores('id type origin lang userConsentDisplayName adminConsentDisplayName'),
};

/** Whether it is the manifest of an application. */
export function isManifest(value: unknown): boolean {
  if (!isRecord(value) || typeof value.appId !== 'string') return false;
  return ['signInAudience', 'replyUrlsWithType', 'identifierUris', 'web', 'spa'].some(name => name in value);
}

/** Turns the manifest of an application into a client and the scopes of its API. */
export function importEntraManifest(found: ExportPart): SandboxConfig {
  tellLost(found, manifestUses, 'a manifest');
  for (const name of ['web', 'spa', 'publicClient']) tellLost(at(found, name), platformUses, 'a platform');
  tellLost(at(found, 'api'), apiUses, 'an API');
  const [identifier] = textsIn(at(found, 'identifierUris'));
  const permissions = [
    ...recordsIn(at(found, 'oauth2Permissions')),
    ...recordsIn(at(at(found, 'api'), 'oauth2PermissionScopes')),
  ];
  const scopes = permissions.flatMap(each => scopeOf(each, identifier));
  const clients = [{ found, entry: clientOf(found, identifier, scopes) }];
  return configOf(found, { clients, scopes });
}

function clientOf(found: ExportPart, identifier: string | undefined, scopes: readonly DraftedScope[]): ClientEntry {
  const client_id = textIn(at(found, 'appId')) ?? '';
  const name = textIn(at(found, 'displayName')) ?? textIn(at(found, 'name'));
  const isConfidential = listIn(at(found, 'passwordCredentials')).length > 0;
  const grant_types = grantsOf(found, isConfidential);
  const usual = ['openid', 'profile', 'email', 'offline_access'];
  if (isConfidential)
    lose(at(found, 'passwordCredentials'), 'the export has no secret: `client_secret` is the `appId` with `-secret`');
  return {
    client_id,
    ...(name !== undefined && { client_name: name }),
    ...(isConfidential && { client_secret: `${client_id}-secret` }),
    grant_types,
    ...addresses(found),
    scope: [...usual, ...scopes.map(each => each.name)].join(' '),
    ...(scopes.length > 0 && { audience: identifier ?? client_id }),
  };
}

function grantsOf(found: ExportPart, isConfidential: boolean): readonly GrantType[] {
  const implicit = at(at(found, 'web'), 'implicitGrantSettings');
  const switches = [
    at(found, 'oauth2AllowImplicitFlow'),
    at(found, 'oauth2AllowIdTokenImplicitFlow'),
    at(implicit, 'enableAccessTokenIssuance'),
    at(implicit, 'enableIdTokenIssuance'),
  ];
  const isPublic = [at(found, 'allowPublicClient'), at(found, 'isFallbackPublicClient')].some(
    each => flagIn(each) === true,
  );
  return [
    'authorization_code',
    'refresh_token',
    ...(switches.some(each => flagIn(each) === true) ? (['implicit'] as const) : []),
    ...(isConfidential ? (['client_credentials'] as const) : []),
    ...(isPublic ? (['urn:ietf:params:oauth:grant-type:device_code'] as const) : []),
  ];
}

function addresses(found: ExportPart): ReturnType<typeof addressMembers> {
  const platforms = ['web', 'spa', 'publicClient'].flatMap(name => listIn(at(at(found, name), 'redirectUris')));
  const typed = recordsIn(at(found, 'replyUrlsWithType')).map(each => {
    tellLost(each, { url: 'read', type: 'none' }, 'a reply URL');
    return at(each, 'url');
  });
  const place = at(found, typed.length > 0 || platforms.length === 0 ? 'replyUrlsWithType' : 'web');
  const login = keptUris([...typed, ...listIn(at(found, 'replyUrls')), ...platforms]);
  for (const each of [at(found, 'logoutUrl'), at(at(found, 'web'), 'logoutUrl')])
    if (textIn(each) !== undefined) tell(each, 'add `frontchannel_logout_uri` to the client, if it expects such calls');
  return addressMembers({ login, logout: login, origins: [] }, { place, isNeeded: true });
}

function scopeOf(found: ExportPart, identifier: string | undefined): readonly DraftedScope[] {
  const value = textIn(at(found, 'value'));
  if (value === undefined) return leftOut(found, 'it has no `value`');
  if (flagIn(at(found, 'isEnabled')) === false) return leftOut(found, 'it is disabled');
  tellLost(found, permissionUses, 'a permission');
  const description = textIn(at(found, 'userConsentDescription')) ?? textIn(at(found, 'adminConsentDescription'));
  // an application asks for the scope with the API before it
  const name = identifier === undefined ? value : `${identifier}/${value}`;
  return [{ found, name, entry: description === undefined ? {} : { description } }];
}
