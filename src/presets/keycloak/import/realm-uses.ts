import type { Prefixes, UseTable } from '../../../import/members.ts';

const flows = 'login flows are not run: the sandbox has one login page';
const brokering = 'identity brokering is not served: add those users to `users`';
const passwords = 'passwords and failed logins have no policies';
const pages = 'the sandbox has pages of its own';
const secondFactors = 'second factors are not asked for';
const timeouts = 'sessions have no timeouts of the realm';
const organizations = 'the sandbox has no organizations';
const admin = 'the admin API is not served';
const accounts = 'accounts of users are not managed: there is no registration, mail or account console';
const resources = 'Authorization Services (UMA) and policies of clients are not served';

const lost = (meaning: string, names: readonly string[]): UseTable =>
  Object.fromEntries(names.map(name => [name, { lost: meaning }]));
const none = (names: readonly string[]): UseTable => Object.fromEntries(names.map(name => [name, 'none']));

/** Members of a realm. */
export const realmUses: UseTable = {
  ...{ realm: 'read', enabled: 'read', clients: 'read', users: 'read', groups: 'read' },
  ...{ roles: 'read', clientScopes: 'read', defaultDefaultClientScopes: 'read', defaultOptionalClientScopes: 'read' },
  displayName: { lost: 'pages have the name of the sandbox: `branding` changes it' },
  accessTokenLifespan: 'read', // accessTokenLifetime
  accessCodeLifespan: 'read', // codeLifetime
  oauth2DeviceCodeLifespan: 'read', // deviceCodeLifetime
  revokeRefreshToken: 'read', // refresh_token_rotation of the clients
  ...none(['id', 'keycloakVersion', 'sslRequired', 'defaultRole', 'defaultRoles', 'displayNameHtml']),
  ...none([
    'realmCacheEnabled',
    'userCacheEnabled',
    'eventsExpiration',
    'oauth2DevicePollingInterval',
    'publicKey',
    'privateKey',
  ]),
  ...none([
    'certificate',
    'codeSecret',
    'requiredCredentials',
    'defaultSignatureAlgorithm',
    'clientTemplates',
    'social',
  ]),
  ...none(['updateProfileOnInitialSocialLogin', 'defaultGroups', 'protocolMappers']),
  ...none(['accessCodeLifespanUserAction', 'accessCodeLifespanLogin', 'actionTokenGeneratedByAdminLifespan']),
  ...none(['actionTokenGeneratedByUserLifespan', 'otpSupportedApplications']),
  // they count for clients with `fullScopeAllowed: false`, of which the import tells
  ...none(['scopeMappings', 'clientScopeMappings']),
  accessTokenLifespanForImplicitFlow: { lost: 'the lifetime of access tokens is the same in each flow' },
  notBefore: { lost: 'tokens are not revoked by time' },
  attributes: { lost: 'attributes of the realm have no counterpart' },
  ...lost(flows, [
    ...[
      'authenticationFlows',
      'authenticatorConfig',
      'requiredActions',
      'browserFlow',
      'registrationFlow',
      'directGrantFlow',
    ],
    'resetCredentialsFlow',
    'clientAuthenticationFlow',
    'dockerAuthenticationFlow',
    'firstBrokerLoginFlow',
  ]),
  ...lost(brokering, [
    'identityProviders',
    'identityProviderMappers',
    'userFederationProviders',
    'userFederationMappers',
  ]),
  ...lost(brokering, ['federatedUsers']),
  ...lost('components such as keys and user federation are not loaded', ['components']),
  ...lost(passwords, [
    'passwordPolicy',
    'bruteForceProtected',
    'permanentLockout',
    'failureFactor',
    'waitIncrementSeconds',
    'maxFailureWaitSeconds',
    'minimumQuickLoginWaitSeconds',
    'quickLoginCheckMilliSeconds',
    'maxDeltaTimeSeconds',
    'maxTemporaryLockouts',
    'bruteForceStrategy',
    'maxSecondaryAuthFailures',
  ]),
  ...lost(pages, ['loginTheme', 'accountTheme', 'adminTheme', 'emailTheme', 'browserSecurityHeaders']),
  ...lost(pages, ['localizationTexts', 'supportedLocales', 'defaultLocale', 'internationalizationEnabled']),
  ...lost(accounts, [
    'registrationAllowed',
    'registrationEmailAsUsername',
    'verifyEmail',
    'resetPasswordAllowed',
    'rememberMe',
    'editUsernameAllowed',
    'loginWithEmailAllowed',
    'duplicateEmailsAllowed',
    'userManagedAccessAllowed',
    'passwordCredentialGrantAllowed',
    'smtpServer',
  ]),
  ...lost(timeouts, [
    ...[
      'ssoSessionIdleTimeout',
      'ssoSessionMaxLifespan',
      'ssoSessionIdleTimeoutRememberMe',
      'offlineSessionIdleTimeout',
    ],
    'ssoSessionMaxLifespanRememberMe',
    'offlineSessionMaxLifespanEnabled',
    'offlineSessionMaxLifespan',
    'clientSessionIdleTimeout',
    'clientSessionMaxLifespan',
    'clientOfflineSessionIdleTimeout',
    'clientOfflineSessionMaxLifespan',
  ]),
  refreshTokenMaxReuse: { lost: 'a refresh token is used once or without limit: see `refresh_token_rotation`' },
  ...lost(admin, [
    'adminEventsEnabled',
    'adminEventsDetailsEnabled',
    'adminPermissionsEnabled',
    'adminPermissionsClient',
    'scimApiEnabled',
  ]),
  ...lost('events are on the dashboard', ['eventsEnabled', 'eventsListeners', 'enabledEventTypes']),
  ...lost(organizations, ['organizationsEnabled', 'organizations']),
  ...lost('credentials are not issued', ['verifiableCredentialsEnabled']),
  ...lost(resources, ['clientProfiles', 'clientPolicies']),
  ...lost('applications and old clients are not read: export the realm with a newer version', [
    'applications',
    'oauthClients',
  ]),
  ...lost('workflows are not run', ['workflows']),
};

/** Beginnings of members whose meaning is the same. */
export const realmPrefixes: Prefixes = [
  ['otpPolicy', secondFactors],
  ['webAuthn', secondFactors],
];
