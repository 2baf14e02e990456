import { ignores, loses, type Prefixes, reads, type UseTable } from '../members.ts';

const flows = 'login flows are not run: the sandbox has one login page';
const brokering = 'identity brokering is not served: add those users to `users`';
const passwords = 'passwords and failed logins have no policies';
const pages = 'the sandbox has pages of its own';
const secondFactors = 'second factors are not asked for';
const timeouts = 'sessions have no timeouts of the realm';
const organizations = 'the sandbox has no organizations';
const admin = 'the admin API is not served';
const accounts = 'accounts of users are not managed: there is no registration, mail or account console';
const old = 'applications and old clients are not read: export the realm with a newer version';
const resources = 'Authorization Services (UMA) and policies of clients are not served';

/** Members of a realm. */
export const realmUses: UseTable = {
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
  ...loses(old, 'applications oauthClients'),
  ...loses('workflows are not run', 'workflows'),
};

/** Beginnings of members whose meaning is the same. */
export const realmPrefixes: Prefixes = [
  ['otpPolicy', secondFactors],
  ['webAuthn', secondFactors],
];
