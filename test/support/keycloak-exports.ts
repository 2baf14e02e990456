import { pbkdf2Sync } from 'node:crypto';
import {
  attribute,
  builtInClients,
  builtInScopes,
  client,
  hashed,
  type Members,
  mapper,
  scope,
  shown,
} from './keycloak-realm.ts';

// Three realms of realistic size, with all members that exports of Keycloak have. Their names and usual values are those of the
// exports that Keycloak tests its own migration with: migration-realm-26.6.0.json and migration-realm-3.4.3.Final.json.

const people = 200;
const numbers = [...Array(people).keys()];
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

const off = (names: string) => Object.fromEntries(names.split(' ').map(name => [name, false]));
const empty = (names: string) => Object.fromEntries(names.split(' ').map(name => [name, []]));

const lifespans = {
  ...{ notBefore: 0, refreshTokenMaxReuse: 0, accessTokenLifespan: 300, accessTokenLifespanForImplicitFlow: 900 },
  ...{ ssoSessionIdleTimeout: 1800, ssoSessionMaxLifespan: 36000, ssoSessionIdleTimeoutRememberMe: 0 },
  ...{ ssoSessionMaxLifespanRememberMe: 0, offlineSessionIdleTimeout: 2592000, offlineSessionMaxLifespan: 5184000 },
  ...{ clientSessionIdleTimeout: 0, clientSessionMaxLifespan: 0, clientOfflineSessionIdleTimeout: 0 },
  ...{ clientOfflineSessionMaxLifespan: 0, accessCodeLifespan: 60, accessCodeLifespanUserAction: 300 },
  ...{ accessCodeLifespanLogin: 1800, actionTokenGeneratedByAdminLifespan: 43200 },
  ...{ actionTokenGeneratedByUserLifespan: 300, oauth2DeviceCodeLifespan: 600, oauth2DevicePollingInterval: 5 },
};

const protection = {
  ...{ maxTemporaryLockouts: 0, bruteForceStrategy: 'MULTIPLE', maxFailureWaitSeconds: 900 },
  ...{ minimumQuickLoginWaitSeconds: 60, waitIncrementSeconds: 60, quickLoginCheckMilliSeconds: 1000 },
  ...{ maxDeltaTimeSeconds: 43200, failureFactor: 30, maxSecondaryAuthFailures: 0 },
};

const otp = {
  ...{ otpPolicyType: 'totp', otpPolicyAlgorithm: 'HmacSHA1', otpPolicyInitialCounter: 0, otpPolicyDigits: 6 },
  ...{ otpPolicyLookAheadWindow: 1, otpPolicyPeriod: 30, otpPolicyCodeReusable: false },
  otpSupportedApplications: ['totpAppFreeOTPName', 'totpAppGoogleName', 'totpAppMicrosoftAuthenticatorName'],
};

const webAuthn = Object.fromEntries(
  ['webAuthnPolicy', 'webAuthnPolicyPasswordless'].flatMap(prefix => [
    [`${prefix}RpEntityName`, 'keycloak'],
    [`${prefix}SignatureAlgorithms`, ['ES256']],
    [`${prefix}RpId`, ''],
    [`${prefix}AttestationConveyancePreference`, 'not specified'],
    [`${prefix}AuthenticatorAttachment`, 'not specified'],
    [`${prefix}RequireResidentKey`, 'not specified'],
    [`${prefix}UserVerificationRequirement`, 'not specified'],
    [`${prefix}CreateTimeout`, 0],
    [`${prefix}AvoidSameAuthenticatorRegister`, false],
    [`${prefix}AcceptableAaguids`, []],
    [`${prefix}ExtraOrigins`, []],
  ]),
);

const flows = {
  authenticationFlows: [
    {
      ...{ id: 'f', alias: 'browser', description: 'Browser based authentication', providerId: 'basic-flow' },
      ...{ topLevel: true, builtIn: true, authenticationExecutions: [{ authenticator: 'auth-cookie', priority: 10 }] },
    },
  ],
  authenticatorConfig: [{ id: 'c', alias: 'review profile config', config: {} }],
  requiredActions: [{ alias: 'VERIFY_EMAIL', name: 'Verify Email', providerId: 'VERIFY_EMAIL', enabled: true }],
  ...{ browserFlow: 'browser', registrationFlow: 'registration', directGrantFlow: 'direct grant' },
  ...{ resetCredentialsFlow: 'reset credentials', clientAuthenticationFlow: 'clients' },
  ...{ dockerAuthenticationFlow: 'docker auth', firstBrokerLoginFlow: 'first broker login' },
};

const browserSecurityHeaders = {
  ...{ contentSecurityPolicyReportOnly: '', xContentTypeOptions: 'nosniff', referrerPolicy: 'no-referrer' },
  ...{ xRobotsTag: 'none', xFrameOptions: 'SAMEORIGIN', strictTransportSecurity: 'max-age=31536000' },
};

const usualRealm: Members = {
  ...{ defaultSignatureAlgorithm: 'RS256', enabled: true, sslRequired: 'external', loginWithEmailAllowed: true },
  ...off(
    'revokeRefreshToken offlineSessionMaxLifespanEnabled registrationAllowed registrationEmailAsUsername rememberMe',
  ),
  ...off(
    'verifyEmail duplicateEmailsAllowed resetPasswordAllowed editUsernameAllowed bruteForceProtected permanentLockout',
  ),
  ...off(
    'eventsEnabled adminEventsEnabled adminEventsDetailsEnabled internationalizationEnabled userManagedAccessAllowed',
  ),
  ...off('organizationsEnabled verifiableCredentialsEnabled adminPermissionsEnabled scimApiEnabled'),
  ...empty('identityProviders identityProviderMappers supportedLocales enabledEventTypes'),
  ...lifespans,
  ...protection,
  ...otp,
  ...webAuthn,
  ...flows,
  browserSecurityHeaders,
  localizationTexts: {},
  smtpServer: {},
  eventsListeners: ['jboss-logging'],
  requiredCredentials: ['password'],
  scopeMappings: [{ clientScope: 'offline_access', roles: ['offline_access'] }],
  clientScopeMappings: { account: [{ client: 'account-console', roles: ['manage-account', 'view-groups'] }] },
  components: { 'org.keycloak.keys.KeyProvider': [{ id: 'k', name: 'rsa-generated', providerId: 'rsa-generated' }] },
  attributes: { cibaBackchannelTokenDeliveryMode: 'poll', parRequestUriLifespan: '60', realmReusableOtpCode: 'false' },
  keycloakVersion: '26.6.0',
  clientProfiles: { profiles: [] },
  clientPolicies: { policies: [] },
};

const serviceAccountScope = {
  ...scope('service_account', false, [
    mapper('oidc-usersessionmodel-note-mapper', { 'user.session.note': 'client_id', 'claim.name': 'client_id' }),
    mapper('oidc-usersessionmodel-note-mapper', { 'user.session.note': 'clientHost', 'claim.name': 'clientHost' }),
  ]),
};
const samlScopes = ['role_list', 'saml_organization'].map(name => ({
  id: name,
  name,
  protocol: 'saml',
  attributes: {},
}));

function role(name: string, more: Members = {}): Members {
  return {
    id: `role-${name}`,
    name,
    description: `\${role_${name}}`,
    composite: false,
    clientRole: false,
    containerId: 'r',
    attributes: {},
    ...more,
  };
}

const accountRoles = ['view-profile', 'manage-account', 'manage-account-links'].map(name =>
  role(name, { clientRole: true }),
);
const management = ['realm-admin', 'view-users', 'manage-users', 'view-clients', 'query-groups'].map(name =>
  role(name, { clientRole: true }),
);

/** The roles that each realm has, with its own. */
function rolesOf(realm: string, own: readonly Members[], ofClients: Members): Members {
  const defaults = {
    realm: ['offline_access', 'uma_authorization'],
    client: { account: ['view-profile', 'manage-account'] },
  };
  return {
    realm: [
      role(`default-roles-${realm}`, { composite: true, composites: defaults }),
      ...['offline_access', 'uma_authorization'].map(name => role(name)),
      ...own,
    ],
    client: {
      account: accountRoles,
      'realm-management': management,
      'security-admin-console': [],
      'admin-cli': [],
      ...ofClients,
    },
  };
}

const usualAttributes = {
  ...{ realm_client: 'false', 'backchannel.logout.session.required': 'true', 'post.logout.redirect.uris': '+' },
  ...{ 'backchannel.logout.revoke.offline.tokens': 'false', 'oauth2.device.authorization.grant.enabled': 'false' },
  ...{ 'display.on.consent.screen': 'false', 'client.secret.creation.time': '1788342197' },
};

function application(clientId: string, { attributes = {}, ...more }: Members): Members {
  return client(clientId, {
    alwaysDisplayInConsole: false,
    attributes: { ...usualAttributes, ...(attributes as object) },
    ...more,
  });
}

const ownClients = builtInClients.map(clientId =>
  application(clientId, { name: `\${client_${clientId}}`, rootUrl: '${authBaseUrl}', publicClient: true }),
);

function person(index: number, more: Members): Members {
  return {
    ...{ id: idOf(index), username: `person${index}`, firstName: `First${index}`, lastName: `Last${index}` },
    ...{ email: `person${index}@example.com`, emailVerified: index % 2 === 0, enabled: true, totp: false },
    ...{ createdTimestamp: 1_779_110_441_255, disableableCredentialTypes: [], requiredActions: [], notBefore: 0 },
    ...{ credentials: [{ type: 'password', value: `password${index}` }], groups: [], clientRoles: {}, ...more },
  };
}

const usualScopes = ['web-origins', 'acr', 'profile', 'roles', 'basic', 'email'];
const askedScopes = ['address', 'phone', 'offline_access', 'microprofile-jwt'];

/** A shop: a single-page application, and an API that it calls. */
export function shopRealm(origin = 'http://localhost:3000'): Members {
  return {
    ...usualRealm,
    ...{ id: 'webshop', realm: 'webshop', displayName: 'Shop' },
    roles: rolesOf('webshop', [role('customer'), role('vip')], { 'shop-api': [role('buy'), role('refund')] }),
    groups: [],
    users: numbers.map(index =>
      person(index, {
        attributes: {
          locale: ['de'],
          loyalty: [String(index)],
          newsletter: [String(index % 2 === 0)],
          phoneNumber: ['+49'],
        },
        realmRoles: ['default-roles-webshop', 'customer', ...(index % 10 === 0 ? ['vip'] : [])],
        clientRoles: { 'shop-api': index % 2 === 0 ? ['buy'] : ['buy', 'refund'] },
      }),
    ),
    clients: [
      ...ownClients,
      application('shop-web', {
        ...{ name: 'Shop', publicClient: true, rootUrl: origin, redirectUris: [`${origin}/`], webOrigins: ['+'] },
        attributes: { 'pkce.code.challenge.method': 'S256' },
        protocolMappers: [mapper('oidc-audience-mapper', { ...shown, 'included.client.audience': 'shop-api' })],
        defaultClientScopes: [...usualScopes, 'loyalty'],
        optionalClientScopes: askedScopes,
      }),
      application('shop-api', {
        bearerOnly: true,
        defaultClientScopes: usualScopes,
        optionalClientScopes: askedScopes,
      }),
    ],
    clientScopes: [
      ...builtInScopes,
      ...samlScopes,
      serviceAccountScope,
      {
        ...scope('loyalty', true, [
          attribute('loyalty', 'shop.points', { 'jsonType.label': 'int' }),
          attribute('newsletter', 'newsletter', { 'jsonType.label': 'boolean' }),
          mapper('oidc-hardcoded-claim-mapper', { ...shown, 'claim.name': 'shop.currency', 'claim.value': 'EUR' }),
          mapper('oidc-usermodel-client-role-mapper', {
            ...{ ...shown, 'claim.name': 'permissions', multivalued: 'true' },
            ...{
              'usermodel.clientRoleMapping.clientId': 'shop-api',
              'usermodel.clientRoleMapping.rolePrefix': 'shop:',
            },
          }),
        ]),
        attributes: { 'include.in.token.scope': 'true', 'consent.screen.text': 'see your points' },
      },
    ],
    defaultDefaultClientScopes: usualScopes,
    defaultOptionalClientScopes: askedScopes,
  };
}

const teams = ['/company/engineering/platform', '/company/engineering/web', '/company/sales', '/partners'];
const group = (path: string, more: Members = {}, ...subGroups: readonly Members[]): Members => ({
  ...{ id: `group-${path}`, name: path.slice(path.lastIndexOf('/') + 1), path, attributes: {}, realmRoles: [] },
  ...{ clientRoles: {}, subGroups, ...more },
});

/** A company: groups in groups, roles of roles, ten kinds of mappers, and services without users. */
export function companyRealm(origin = 'http://localhost:3000'): Members {
  const service = {
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    secret: 'a-secret',
    ...{ defaultClientScopes: [...usualScopes, 'service_account'] },
  };
  const lead = { realm: ['employee', 'reviewer'], client: { backend: ['write'] } };
  return {
    ...usualRealm,
    ...{ id: 'company', realm: 'company', displayName: 'Company' },
    roles: rolesOf(
      'company',
      [
        role('employee'),
        role('reviewer', { composite: true, composites: { realm: ['lead'] } }),
        role('lead', { composite: true, composites: lead }),
      ],
      { backend: [role('read'), role('write', { composite: true, composites: { client: { backend: ['read'] } } })] },
    ),
    groups: [
      group(
        '/company',
        { realmRoles: ['employee'], attributes: { site: ['Berlin'] } },
        group(
          '/company/engineering',
          { clientRoles: { backend: ['read'] }, attributes: { site: ['Hamburg'] } },
          group('/company/engineering/platform', { realmRoles: ['lead'] }),
          group('/company/engineering/web'),
        ),
        group('/company/sales'),
      ),
      group('/partners', { attributes: { site: ['elsewhere'] } }),
    ],
    users: [
      ...numbers.map(index =>
        person(index, {
          attributes: {
            street: [`Main Street ${index}`],
            locality: ['Berlin'],
            badge: [`${index}`, `${index + 1000}`],
          },
          realmRoles: ['default-roles-company'],
          groups: [teams[index % teams.length]],
        }),
      ),
      ...['billing', 'reports'].map(clientId => ({
        ...person(0, { credentials: [] }),
        ...{ id: `service-${clientId}`, username: `service-account-${clientId}`, serviceAccountClientId: clientId },
        ...{ realmRoles: ['default-roles-company', 'reviewer'], clientRoles: { backend: ['read'] } },
      })),
    ],
    clients: [
      ...ownClients,
      application('portal', {
        ...{ publicClient: true, rootUrl: origin, redirectUris: ['/'], webOrigins: ['+'] },
        ...{ defaultClientScopes: [...usualScopes, 'company', 'address'], optionalClientScopes: askedScopes },
      }),
      application('backend', { bearerOnly: true }),
      application('billing', service),
      application('reports', service),
    ],
    clientScopes: [
      ...builtInScopes.filter(({ name }) => name !== 'address'),
      ...samlScopes,
      serviceAccountScope,
      addressScope,
      companyScope,
    ],
    defaultDefaultClientScopes: usualScopes,
    defaultOptionalClientScopes: askedScopes,
  };
}

const addressScope = scope('address', true, [
  mapper('oidc-address-mapper', { ...shown, 'user.attribute.street': 'street', 'user.attribute.locality': 'locality' }),
]);

const companyScope = scope('company', true, [
  attribute('badge', 'badges', { multivalued: 'true' }),
  attribute('site', 'site'),
  mapper('oidc-usermodel-property-mapper', { ...shown, 'user.attribute': 'email', 'claim.name': 'upn\\.mail' }),
  mapper('oidc-full-name-mapper', shown),
  mapper('oidc-group-membership-mapper', { ...shown, 'claim.name': 'teams', 'full.path': 'true' }),
  mapper('oidc-usermodel-realm-role-mapper', {
    ...shown,
    'claim.name': 'authorities',
    'usermodel.realmRoleMapping.rolePrefix': 'ROLE_',
    multivalued: 'true',
  }),
  mapper('oidc-usermodel-client-role-mapper', {
    ...shown,
    'claim.name': 'backend',
    multivalued: 'true',
    'usermodel.clientRoleMapping.clientId': 'backend',
  }),
  mapper('oidc-hardcoded-claim-mapper', {
    ...shown,
    'claim.name': 'tenant.ids',
    'claim.value': '[1,2]',
    'jsonType.label': 'JSON',
  }),
  mapper('oidc-audience-mapper', { ...shown, 'included.custom.audience': 'https://api.company.example' }),
]);

const perFile = 50;

/** A realm of version 3, with hashed passwords and without client scopes, in the files of `kc.sh export --dir`. */
export function oldRealm(): Readonly<Record<string, Members>> {
  const { clientProfiles: _, clientPolicies: __, ...members } = usualRealm;
  const property = (from: string, claim: string) =>
    mapper('oidc-usermodel-property-mapper', { ...shown, 'user.attribute': from, 'claim.name': claim });
  const realm = {
    ...members,
    ...{
      id: 'old',
      realm: 'old',
      keycloakVersion: '3.4.3.Final',
      defaultRoles: ['offline_access', 'uma_authorization', 'member'],
    },
    roles: {
      realm: [role('member', { scopeParamRequired: false }), role('offline_access'), role('uma_authorization')],
    },
    clients: [
      client('legacy', {
        ...{
          secret: 'legacy-secret',
          directAccessGrantsEnabled: true,
          redirectUris: ['http://localhost:8080/app/sso'],
        },
        ...{
          defaultRoles: [],
          fullScopeAllowed: true,
          defaultClientScopes: undefined,
          optionalClientScopes: undefined,
        },
        protocolMappers: [
          property('username', 'preferred_username'),
          property('email', 'email'),
          attribute('division', 'division'),
        ],
      }),
    ],
  };
  const files = numbers
    .filter(index => index % perFile === 0)
    .map(first => [`old-users-${first / perFile}.json`, usersFrom(first)]);
  return { 'old-realm.json': JSON.parse(JSON.stringify(realm)), ...Object.fromEntries(files) };
}

function usersFrom(first: number): Members {
  const users = numbers
    .slice(first, first + perFile)
    .map(index =>
      person(index, { credentials: [oldPassword(index)], attributes: { division: ['north'] }, realmRoles: ['member'] }),
    );
  return { realm: 'old', users };
}

/** As versions before 8 wrote it for half of the users, as later ones did for the others. */
function oldPassword(index: number): Members {
  const key = pbkdf2Sync(`password${index}`, `salt${index}`, 1000, 64, 'sha256');
  const salt = Buffer.from(`salt${index}`).toString('base64');
  if (index % 2 === 0) return { type: 'password', ...hashed('pbkdf2-sha256', 1000, salt, key) };
  const old = { hashedSaltedValue: key.toString('base64'), salt, hashIterations: 1000, algorithm: 'pbkdf2-sha256' };
  return { type: 'password', ...old, counter: 0, digits: 0, period: 0, createdDate: 1_570_002_786_025, config: {} };
}
