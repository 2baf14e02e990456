import { scopeToken } from '../../../protocol/scope.ts';
import { standardScopes } from '../../../sandbox/config/claims.ts';
import type { SandboxConfig, ScopeEntry } from '../../../sandbox/config/sandbox-config.ts';
import { createBudget } from '../budget.ts';
import { fitting, tellArgon2 } from '../fit.ts';
import type { Imported } from '../imported.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  loses,
  numberIn,
  type Prefixes,
  reads,
  recordsIn,
  tell,
  tellLost,
  tellUnread,
  textIn,
  type UseTable,
  valueIn,
} from '../members.ts';
import { createNotes } from '../notes.ts';
import { applyMappers, attributesOf } from './apply-mappers.ts';
import { hidden, readClients } from './clients.ts';
import type { ClientDraft, Drafts, ScopeDraft } from './draft.ts';
import { type RealmGroup, readGroups } from './groups.ts';
import { readMappers } from './mapper.ts';
import { readRoles } from './roles.ts';
import { addServiceAccounts, readUsers, userEntry } from './users.ts';

/** The configuration of an export alone, and the notes about it. @throws ExportTooLarge */
export function importRealm(value: unknown): Imported {
  const notes = createNotes();
  const found = { path: [], notes, value };
  const config = realmConfig(found);
  tellUnread(found);
  return { config, notes: notes.lines() };
}

/** Turns a realm export into a configuration. @throws ExportTooLarge */
export function realmConfig(found: ExportPart): SandboxConfig {
  const budget = createBudget();
  tellLost(found, realmUses, 'a realm', realmPrefixes);
  const name = textIn(at(found, 'realm')) ?? '';
  const roles = readRoles(at(found, 'roles'), budget);
  const groups = readGroups(at(found, 'groups'));
  const scopes = readScopes(at(found, 'clientScopes'));
  const clients = readClients(at(found, 'clients'), {
    scopes,
    defaultScopes: at(found, 'defaultDefaultClientScopes'),
    optionalScopes: at(found, 'defaultOptionalClientScopes'),
  });
  const place = { realm: name, groups, roles, budget };
  const users = readUsers(at(found, 'users'), place);
  addServiceAccounts(at(found, 'users'), clients, place);
  const drafts: Drafts = { clients, users, scopes, openid: new Set() };
  applyMappers(drafts, budget);
  tellUnmapped(drafts, groups);
  return {
    // the file is for a Grantbox that has this provider, which may be another one
    preset: { name: 'keycloak', realm: realmName(name, found) } as unknown as SandboxConfig['preset'],
    ...lifetimes(found),
    ...entries(found, drafts, name),
  };
}

function entries(found: ExportPart, drafts: Drafts, realm: string): SandboxConfig {
  const { notes } = found;
  const rotates = flagIn(at(found, 'revokeRefreshToken')) === true;
  const fit = fitting(notes);
  const users = drafts.users.flatMap(draft => fit.user(userEntry(draft, realm), draft.found.path) ?? []);
  tellArgon2(at(found, 'users'), users);
  const clients = drafts.clients.flatMap(draft => fit.client(clientEntry(draft, rotates), draft.found.path) ?? []);
  const scopes = Object.entries(scopeEntries(drafts)).flatMap(([name, entry]) => {
    const kept = fit.scope(name, entry, drafts.scopes.get(name)?.found.path ?? at(found, 'clientScopes').path);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  if (users.length === 0)
    tell(at(found, 'users'), 'no users were left, so that the built-in alice, bob and carol can sign in');
  return {
    clients,
    ...(users.length > 0 && { users }),
    ...(scopes.length > 0 && { scopes: Object.fromEntries(scopes) }),
  };
}

function clientEntry({ entry, access, audience }: ClientDraft, rotates: boolean): ClientDraft['entry'] {
  return {
    ...entry,
    ...(rotates && { refresh_token_rotation: true }),
    ...(audience.size > 0 && { audience: [...audience] }),
    // made of JSON
    ...(Object.keys(access).length > 0 && {
      access_token_claims: access as NonNullable<typeof entry.access_token_claims>,
    }),
  };
}

/** The name is part of paths, where only some characters can be. */
function realmName(name: string, found: ExportPart): string {
  const usable = name.replace(/[^A-Za-z0-9._~-]+/g, '-').slice(0, 64);
  const fit = /^\.*$/.test(usable) ? 'demo' : usable;
  if (fit !== name) tell(at(found, 'realm'), `the realm is called ${fit} here, because its name is part of the issuer`);
  return fit;
}

const lifetimeMembers = [
  ['accessTokenLifespan', 'accessTokenLifetime', 300],
  ['accessTokenLifespan', 'idTokenLifetime', 300], // ID tokens of Keycloak live as long as access tokens
  ['accessCodeLifespan', 'codeLifetime', 60],
  ['oauth2DeviceCodeLifespan', 'deviceCodeLifetime', 300],
] as const;

/** The settings that differ from the defaults of the sandbox. */
function lifetimes(found: ExportPart): SandboxConfig {
  const read = lifetimeMembers.map(([theirs, ours, usual]) => ({
    ours,
    usual,
    seconds: numberIn(at(found, theirs)) ?? usual,
  }));
  const changed = read.filter(({ seconds, usual }) => seconds > 0 && seconds !== usual && seconds <= 31_536_000);
  return Object.fromEntries(changed.map(({ ours, seconds }) => [ours, seconds]));
}

/** Attributes of users and groups that no mapper names are in no token of the realm either. */
function tellUnmapped({ users, clients, scopes }: Drafts, groups: ReadonlyMap<string, RealmGroup>): void {
  const mappers = [...clients, ...scopes.values()].flatMap(each => each.mappers);
  const named = new Set(mappers.flatMap(attributesOf));
  const having = [...users.map(({ found, person }) => ({ found, attributes: person.attributes })), ...groups.values()];
  for (const { found, attributes } of having)
    for (const name of attributes.keys())
      if (!named.has(name)) tell(at(at(found, 'attributes'), name), 'no mapper puts it into a token');
}

const scopeUses: UseTable = {
  id: 'none',
  name: 'read',
  description: 'read',
  protocol: 'read',
  attributes: 'read',
  protocolMappers: 'read',
};

const scopeAttributes: UseTable = {
  'include.in.token.scope': 'read',
  'display.on.consent.screen': 'none',
  'consent.screen.text': 'read',
  'gui.order': 'none',
  'is.dynamic.scope': { lost: 'parameters of scopes are not read' },
  'dynamic.scope.regexp': { lost: 'parameters of scopes are not read' },
};

/** Reads `clientScopes` of an export. */
function readScopes(found: ExportPart): ReadonlyMap<string, ScopeDraft> {
  const scopes = recordsIn(found).flatMap(each => readScope(each) ?? []);
  return new Map(scopes.map(scope => [scope.name, scope]));
}

function readScope(found: ExportPart): ScopeDraft | undefined {
  const name = textIn(at(found, 'name'));
  const protocol = textIn(at(found, 'protocol')) ?? 'openid-connect';
  const isOfEachRealm = ['role_list', 'saml_organization'].includes(name ?? '');
  const problem =
    name === undefined
      ? 'it has no name'
      : protocol !== 'openid-connect' && !isOfEachRealm
        ? `the sandbox does not speak ${protocol.slice(0, 40)}`
        : undefined;
  if (problem !== undefined) leftOut(found, problem);
  if (isOfEachRealm) valueIn(found);
  if (name === undefined || protocol !== 'openid-connect') return undefined;
  const attributes = at(found, 'attributes');
  tellLost(found, scopeUses, 'a client scope');
  tellLost(attributes, scopeAttributes, 'the attributes of a client scope');
  if (!scopeToken.test(name)) tell(found, 'left out of `scope`, because the name is not a scope (RFC 6749 §3.3)');
  const isVisible = scopeToken.test(name) && (flagIn(at(attributes, 'include.in.token.scope')) ?? !hidden.has(name));
  const mappers = readMappers(at(found, 'protocolMappers'));
  const entry = standardScopes[name] === undefined ? describe(found, attributes) : {};
  return { found, name, entry, isVisible, mappers, claims: new Set(), access: {} };
}

/** A text with a placeholder is a key of the translations of Keycloak. */
function describe(found: ExportPart, attributes: ExportPart): ScopeEntry {
  const own = [at(attributes, 'consent.screen.text'), at(found, 'description')]
    .map(valueIn)
    .find(value => typeof value === 'string' && value.trim() !== '' && !value.includes('${'));
  return typeof own === 'string' ? { description: own } : {};
}

/** The scopes that the new file has to define: those with words or claims that are not the usual ones. */
export function scopeEntries({ scopes, openid, clients }: Drafts): Readonly<Record<string, ScopeEntry>> {
  const asked = new Set(clients.flatMap(each => [...each.defaultScopes, ...each.optionalScopes]));
  const own = [...scopes.values()].filter(({ name }) => scopeToken.test(name) && asked.has(name));
  const entries = own.map(({ name, entry, claims, access }): [string, ScopeEntry] => [
    name,
    {
      ...entry,
      ...claimsOf(name, claims),
      ...(Object.keys(access).length > 0 && { access_token_claims: access as never }),
    },
  ]);
  const all: readonly (readonly [string, ScopeEntry])[] = [['openid', claimsOf('openid', openid)], ...entries];
  return Object.fromEntries(all.filter(([, entry]) => Object.keys(entry).length > 0));
}

/** An entry replaces the claims of a standard scope, so that it has those as well. */
function claimsOf(name: string, added: ReadonlySet<string>): Pick<ScopeEntry, 'claims'> {
  return added.size === 0 ? {} : { claims: [...(standardScopes[name]?.claims ?? []), ...added] };
}

const flows = 'sign-in flows are not run: the sandbox has one sign-in page';
const brokering = 'identity brokering is not served: add those users to `users`';
const passwords = 'passwords and failed sign-ins have no policies';
const pages = 'the sandbox has pages of its own';
const secondFactors = 'second factors are not asked for';
const timeouts = 'sessions have no timeouts of the realm';
const organizations = 'the sandbox has no organizations';
const admin = 'the admin API is not served';
const accounts = 'accounts of users are not managed: there is no registration, mail or account console';
const old = 'apps and old clients are not read: export the realm with a newer version';
const resources = 'Authorization Services (UMA) and policies of clients are not served';

/** Members of a realm. */
const realmUses: UseTable = {
  ...reads('realm enabled clients users groups'),
  ...reads('roles clientScopes defaultDefaultClientScopes defaultOptionalClientScopes'),
  displayName: { lost: 'pages have the name of the sandbox: `branding` changes it' },
  accessTokenLifespan: 'read', // accessTokenLifetime and idTokenLifetime
  accessCodeLifespan: 'read', // codeLifetime
  oauth2DeviceCodeLifespan: 'read', // deviceCodeLifetime
  revokeRefreshToken: 'read', // refresh_token_rotation of the clients
  ...ignores('id keycloakVersion sslRequired defaultRole defaultRoles displayNameHtml'),
  ...ignores('realmCacheEnabled userCacheEnabled eventsExpiration oauth2DevicePollingInterval publicKey privateKey'),
  ...ignores('certificate codeSecret requiredCredentials defaultSignatureAlgorithm clientTemplates social'),
  ...ignores('updateProfileOnInitialSocialLogin defaultGroups protocolMappers'),
  ...ignores('accessCodeLifespanUserAction accessCodeLifespanLogin actionTokenGeneratedByAdminLifespan'),
  ...ignores('actionTokenGeneratedByUserLifespan otpSupportedApplications'),
  // they count for clients with `fullScopeAllowed: false`, of which the import tells
  ...ignores('scopeMappings clientScopeMappings'),
  accessTokenLifespanForImplicitFlow: { lost: 'the lifetime of access tokens is the same in each flow' },
  notBefore: { lost: 'tokens are not revoked by time' },
  attributes: { lost: 'attributes of the realm have no counterpart' },
  ...loses(flows, 'authenticationFlows authenticatorConfig requiredActions browserFlow registrationFlow'),
  ...loses(flows, 'directGrantFlow resetCredentialsFlow clientAuthenticationFlow dockerAuthenticationFlow'),
  ...loses(flows, 'firstBrokerLoginFlow'),
  ...loses(brokering, 'identityProviders identityProviderMappers userFederationProviders userFederationMappers'),
  ...loses(brokering, 'federatedUsers'),
  ...loses('components such as keys and user federation are not loaded', 'components'),
  ...loses(passwords, 'passwordPolicy bruteForceProtected permanentLockout failureFactor waitIncrementSeconds'),
  ...loses(passwords, 'maxFailureWaitSeconds minimumQuickLoginWaitSeconds quickLoginCheckMilliSeconds'),
  ...loses(passwords, 'maxDeltaTimeSeconds maxTemporaryLockouts bruteForceStrategy maxSecondaryAuthFailures'),
  ...loses(pages, 'loginTheme accountTheme adminTheme emailTheme browserSecurityHeaders'),
  ...loses(pages, 'localizationTexts supportedLocales defaultLocale internationalizationEnabled'),
  ...loses(accounts, 'registrationAllowed registrationEmailAsUsername verifyEmail resetPasswordAllowed rememberMe'),
  ...loses(accounts, 'editUsernameAllowed loginWithEmailAllowed duplicateEmailsAllowed userManagedAccessAllowed'),
  ...loses(accounts, 'passwordCredentialGrantAllowed smtpServer'),
  ...loses(timeouts, 'ssoSessionIdleTimeout ssoSessionMaxLifespan ssoSessionIdleTimeoutRememberMe'),
  ...loses(timeouts, 'offlineSessionIdleTimeout ssoSessionMaxLifespanRememberMe offlineSessionMaxLifespanEnabled'),
  ...loses(timeouts, 'offlineSessionMaxLifespan clientSessionIdleTimeout clientSessionMaxLifespan'),
  ...loses(timeouts, 'clientOfflineSessionIdleTimeout clientOfflineSessionMaxLifespan'),
  refreshTokenMaxReuse: { lost: 'a refresh token is used once or without limit: see `refresh_token_rotation`' },
  ...loses(admin, 'adminEventsEnabled adminEventsDetailsEnabled adminPermissionsEnabled adminPermissionsClient'),
  ...loses(admin, 'scimApiEnabled'),
  ...loses('events are on the dashboard', 'eventsEnabled eventsListeners enabledEventTypes'),
  ...loses(organizations, 'organizationsEnabled organizations'),
  ...loses('credentials are not issued', 'verifiableCredentialsEnabled'),
  ...loses(resources, 'clientProfiles clientPolicies'),
  ...loses(old, 'apps oauthClients'),
  ...loses('workflows are not run', 'workflows'),
};

/** Beginnings of members whose meaning is the same. */
const realmPrefixes: Prefixes = [
  ['otpPolicy', secondFactors],
  ['webAuthn', secondFactors],
];
