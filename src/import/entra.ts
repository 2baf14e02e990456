import type { ClientEntry, GrantType, ScopeEntry } from '../config/sandbox-config.ts';
import { isRecord } from '../text/record.ts';
import { configOf, type Drafted } from './drafts.ts';
import type { Imported } from './imported.ts';
import { at, type ExportPart, flagIn, listIn, recordsIn, tellLost, textIn, textsIn, type UseTable } from './members.ts';
import { createNotes } from './notes.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

const claims = 'put these claims into `claims` and `access_token_claims` of the users';
const keys = 'write `jwks` to the client to use its keys';

// The manifest of Azure AD Graph, and that of Microsoft Graph, which has groups of members for each platform.
const manifestUses: UseTable = {
  ...{ appId: 'read', displayName: 'read', name: 'read', replyUrlsWithType: 'read', replyUrls: 'read', spa: 'read' },
  ...{
    web: 'read',
    publicClient: 'read',
    identifierUris: 'read',
    oauth2Permissions: 'read',
    api: 'read',
    logoutUrl: 'read',
  },
  ...{ oauth2AllowImplicitFlow: 'read', oauth2AllowIdTokenImplicitFlow: 'read', passwordCredentials: 'read' },
  ...{
    allowPublicClient: 'read',
    isFallbackPublicClient: 'read',
    logoUrl: 'none',
    id: 'none',
    createdDateTime: 'none',
  },
  ...{
    accessTokenAcceptedVersion: 'none',
    signInAudience: 'none',
    publisherDomain: 'none',
    tags: 'none',
    info: 'none',
  },
  ...{ description: 'none', notes: 'none', uniqueName: 'none', deletedDateTime: 'none', applicationTemplateId: 'none' },
  ...{
    oauth2RequirePostResponse: 'none',
    parentalControlSettings: 'none',
    orgRestrictions: 'none',
    certification: 'none',
  },
  ...{ homepage: 'none', signInUrl: 'none', errorUrl: 'none', informationalUrls: 'none', verifiedPublisher: 'none' },
  ...{ disabledByMicrosoftStatus: 'none', isDeviceOnlyAuthSupported: 'none', serviceManagementReference: 'none' },
  ...{ preAuthorizedApplications: 'none', knownClientApplications: 'none', requestSignatureVerification: 'none' },
  ...{ nativeAuthenticationApisEnabled: 'none', servicePrincipalLockConfiguration: 'none', acceptMappedClaims: 'none' },
  ...{ '@odata.context': 'none', defaultRedirectUri: 'none', authenticationBehaviors: 'none' },
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

/** Whether it is the manifest of an application. */
export function isManifest(value: unknown): boolean {
  if (!isRecord(value) || typeof value.appId !== 'string') return false;
  return ['signInAudience', 'replyUrlsWithType', 'identifierUris', 'web', 'spa'].some(name => name in value);
}

/** Turns the manifest of an application into a client and the scopes of its API. */
export function importEntraManifest(value: unknown): Imported {
  const notes = createNotes();
  const found: ExportPart = { path: [], notes, value };
  tellLost(found, manifestUses, 'a manifest');
  const [identifier] = textsIn(at(found, 'identifierUris'));
  const permissions = [
    ...recordsIn(at(found, 'oauth2Permissions')),
    ...recordsIn(at(at(found, 'api'), 'oauth2PermissionScopes')),
  ];
  const scopes = permissions.flatMap(each => scopeOf(each, identifier));
  const clients = [{ found, entry: clientOf(found, identifier, scopes) }];
  return { config: configOf(found, { clients, scopes }), notes: notes.lines() };
}

function clientOf(
  found: ExportPart,
  identifier: string | undefined,
  scopes: readonly { readonly name: string }[],
): ClientEntry {
  const client_id = textIn(at(found, 'appId')) ?? '';
  const name = textIn(at(found, 'displayName')) ?? textIn(at(found, 'name'));
  const isConfidential = hasSecret(found);
  const grant_types = grantsOf(found, isConfidential);
  const usual = ['openid', 'profile', 'email', 'offline_access'];
  if (isConfidential)
    found.notes.tell(
      [...found.path, 'passwordCredentials'],
      'the export has no secret: `client_secret` is the `appId` with `-secret`',
    );
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

/** A secret, or a platform that needs one. */
function hasSecret(found: ExportPart): boolean {
  return listIn(at(found, 'passwordCredentials')).length > 0;
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
  const typed = recordsIn(at(found, 'replyUrlsWithType')).map(each => at(each, 'url'));
  const place = at(found, typed.length > 0 || platforms.length === 0 ? 'replyUrlsWithType' : 'web');
  const login = keptUris([...typed, ...listIn(at(found, 'replyUrls')), ...platforms]);
  const logoutUrl = textIn(at(found, 'logoutUrl')) ?? textIn(at(at(found, 'web'), 'logoutUrl'));
  if (logoutUrl !== undefined)
    found.notes.tell(
      [...found.path, 'logoutUrl'],
      'add `frontchannel_logout_uri` to the client, if it expects such calls',
    );
  return addressMembers({ login, logout: login, origins: [] }, { place, isNeeded: true });
}

function scopeOf(
  found: ExportPart,
  identifier: string | undefined,
): readonly (Drafted<ScopeEntry> & { readonly name: string })[] {
  const value = textIn(at(found, 'value'));
  if (value === undefined || flagIn(at(found, 'isEnabled')) === false) return [];
  const description = textIn(at(found, 'userConsentDescription')) ?? textIn(at(found, 'adminConsentDescription'));
  // an application asks for the scope with the API before it
  const name = identifier === undefined ? value : `${identifier}/${value}`;
  return [{ found, name, entry: description === undefined ? {} : { description } }];
}
