import { pbkdf2Sync } from 'node:crypto';

export type Members = Readonly<Record<string, unknown>>;

export const shown = { 'id.token.claim': 'true', 'access.token.claim': 'true', 'userinfo.token.claim': 'true' };

export function mapper(protocolMapper: string, config: Members): Members {
  return {
    name: `${protocolMapper} ${config['claim.name'] ?? ''}`,
    protocol: 'openid-connect',
    protocolMapper,
    config,
  };
}

export const attribute = (from: string, claim: string, more: Members = {}) =>
  mapper('oidc-usermodel-attribute-mapper', {
    ...shown,
    'user.attribute': from,
    'claim.name': claim,
    'jsonType.label': 'String',
    ...more,
  });

export const builtInScopes: readonly Members[] = [
  scope('profile', true, [
    mapper('oidc-full-name-mapper', shown),
    attribute('username', 'preferred_username'),
    attribute('firstName', 'given_name'),
    attribute('lastName', 'family_name'),
    attribute('locale', 'locale'),
  ]),
  scope('email', true, [
    attribute('email', 'email'),
    mapper('oidc-usermodel-property-mapper', {
      ...shown,
      'user.attribute': 'emailVerified',
      'claim.name': 'email_verified',
      'jsonType.label': 'boolean',
    }),
  ]),
  scope('address', true, [mapper('oidc-address-mapper', { ...shown, 'user.attribute.street': 'street' })]),
  scope('phone', true, [attribute('phoneNumber', 'phone_number')]),
  scope('offline_access', true, []),
  scope('web-origins', false, [mapper('oidc-allowed-origins-mapper', {})]),
  scope('acr', false, [mapper('oidc-acr-mapper', shown)]),
  scope('basic', false, [mapper('oidc-sub-mapper', {})]),
  scope('roles', false, [
    mapper('oidc-usermodel-realm-role-mapper', {
      'access.token.claim': 'true',
      'claim.name': 'realm_access.roles',
      'jsonType.label': 'String',
      multivalued: 'true',
    }),
    mapper('oidc-usermodel-client-role-mapper', {
      'access.token.claim': 'true',
      'claim.name': 'resource_access.${client_id}.roles',
      'jsonType.label': 'String',
      multivalued: 'true',
    }),
    mapper('oidc-audience-resolve-mapper', {}),
  ]),
];

export function scope(name: string, isVisible: boolean, protocolMappers: readonly Members[]): Members {
  const attributes = {
    'include.in.token.scope': String(isVisible),
    'consent.screen.text': `\${${name}ScopeConsentText}`,
  };
  return {
    id: `scope-${name}`,
    name,
    description: `Built-in: ${name}`,
    protocol: 'openid-connect',
    attributes,
    protocolMappers,
  };
}

export const defaultScopes = ['web-origins', 'acr', 'profile', 'roles', 'basic', 'email', 'staff'];
export const optionalScopes = ['address', 'phone', 'offline_access', 'orders'];

export function client(clientId: string, more: Members): Members {
  return {
    id: `client-${clientId}`,
    clientId,
    enabled: true,
    surrogateAuthRequired: false,
    clientAuthenticatorType: 'client-secret',
    redirectUris: [],
    webOrigins: ['+'],
    notBefore: 0,
    bearerOnly: false,
    consentRequired: false,
    standardFlowEnabled: true,
    implicitFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: false,
    publicClient: false,
    frontchannelLogout: false,
    protocol: 'openid-connect',
    attributes: {},
    authenticationFlowBindingOverrides: {},
    fullScopeAllowed: true,
    nodeReRegistrationTimeout: -1,
    defaultClientScopes: defaultScopes,
    optionalClientScopes: optionalScopes,
    ...more,
  };
}

export const builtInClients = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

/** Users are in three of these groups by turns. */
const groupPaths = ['/acme/engineering/platform', '/acme/sales', '/partners'];

/** A realm export in the form of `kc.sh export`: nested groups, composite roles, ten kinds of mappers. */
export function realmExport({ users = 200 }: { readonly users?: number } = {}): Members {
  return {
    id: 'realm-shop',
    realm: 'shop',
    displayName: 'The Shop',
    enabled: true,
    sslRequired: 'external',
    registrationAllowed: true,
    accessTokenLifespan: 600,
    ssoSessionIdleTimeout: 1800,
    revokeRefreshToken: false,
    otpPolicyType: 'totp',
    roles: {
      realm: [
        {
          name: 'default-roles-shop',
          composite: true,
          composites: { realm: ['offline_access', 'uma_authorization', 'customer'] },
        },
        { name: 'offline_access' },
        { name: 'uma_authorization' },
        { name: 'customer' },
        // each is a part of the other
        { name: 'manager', composite: true, composites: { realm: ['reviewer'], client: { 'back-end': ['approve'] } } },
        { name: 'reviewer', composite: true, composites: { realm: ['manager'] } },
      ],
      client: { 'back-end': [{ name: 'approve' }, { name: 'read' }], web: [{ name: 'editor' }] },
    },
    groups: [
      {
        name: 'acme',
        path: '/acme',
        realmRoles: ['employee'],
        attributes: { site: ['Berlin'] },
        subGroups: [
          {
            name: 'engineering',
            path: '/acme/engineering',
            clientRoles: { 'back-end': ['read'] },
            subGroups: [
              { name: 'platform', path: '/acme/engineering/platform', realmRoles: ['manager'], subGroups: [] },
            ],
          },
          { name: 'sales', path: '/acme/sales', subGroups: [] },
        ],
      },
      { name: 'partners', path: '/partners', subGroups: [] },
    ],
    users: [...[...Array(users).keys()].map(user), serviceAccount],
    clients: [
      ...builtInClients.map(clientId => client(clientId, { publicClient: true })),
      client('web', {
        name: 'Web shop',
        publicClient: true,
        rootUrl: 'http://localhost:3000',
        redirectUris: ['/callback', 'http://localhost:3000/*', 'https://shop.example/*'],
        webOrigins: ['+', 'https://embed.example'],
        attributes: {
          'pkce.code.challenge.method': 'S256',
          'post.logout.redirect.uris': '+##http://localhost:3000/bye',
        },
      }),
      client('back-end', {
        secret: 'back-end-secret',
        redirectUris: ['http://localhost:8080/login/oauth2/code/keycloak'],
        directAccessGrantsEnabled: true,
        serviceAccountsEnabled: true,
        attributes: {
          'access.token.lifespan': '120',
          'saml.force.name.id.format': 'false',
          'saml.signature.algorithm': 'RSA',
        },
        protocolMappers: [
          mapper('oidc-audience-mapper', {
            'access.token.claim': 'true',
            'included.custom.audience': 'https://api.example',
          }),
          mapper('oidc-hardcoded-claim-mapper', {
            'access.token.claim': 'true',
            'claim.name': 'tenant.id',
            'claim.value': '7',
            'jsonType.label': 'long',
          }),
        ],
      }),
      client('api', { bearerOnly: true }),
    ],
    clientScopes: [
      ...builtInScopes,
      {
        ...scope('staff', true, [
          attribute('department', 'department'),
          attribute('site', 'site'),
          mapper('oidc-group-membership-mapper', { ...shown, 'claim.name': 'groups', 'full.path': 'true' }),
          mapper('oidc-usermodel-realm-role-mapper', { ...shown, 'claim.name': 'roles', multivalued: 'true' }),
          mapper('oidc-usermodel-client-role-mapper', {
            ...shown,
            'claim.name': 'api_roles',
            multivalued: 'true',
            'usermodel.clientRoleMapping.clientId': 'back-end',
          }),
          mapper('oidc-script-based-protocol-mapper', { script: 'token.x = 1' }),
        ]),
        attributes: { 'consent.screen.text': 'see where you work' },
      },
      { ...scope('orders', true, []), description: 'see your orders' },
      { name: 'role_list', protocol: 'saml', protocolMappers: [] },
    ],
    defaultDefaultClientScopes: defaultScopes,
    defaultOptionalClientScopes: optionalScopes,
    authenticationFlows: [{ alias: 'browser' }],
    identityProviders: [{ alias: 'google' }],
    components: { 'org.keycloak.keys.KeyProvider': [{ name: 'rsa' }] },
    keycloakVersion: '26.0.0',
  };
}

const serviceAccount: Members = {
  username: 'service-account-back-end',
  enabled: true,
  serviceAccountClientId: 'back-end',
  realmRoles: ['default-roles-shop', 'employee'],
  clientRoles: { web: ['editor'] },
};

function user(index: number): Members {
  return {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    createdTimestamp: 1_700_000_000_000,
    username: `user${index}`,
    enabled: index !== 13,
    totp: false,
    emailVerified: index % 2 === 0,
    email: `user${index}@example.com`,
    firstName: `First${index}`,
    lastName: `Last${index}`,
    attributes: { department: [`department ${index % 7}`], locale: ['de'], shoeSize: ['43'] },
    credentials: [{ type: 'password', ...passwordOf(index) }],
    disableableCredentialTypes: [],
    requiredActions: index % 5 === 0 ? ['VERIFY_EMAIL'] : [],
    realmRoles: ['default-roles-shop'],
    clientRoles: index % 2 === 0 ? { web: ['editor'] } : {},
    notBefore: 0,
    groups: [groupPaths[index % 3]],
  };
}

/** By turns: as text, as a hash of PBKDF2, and as the hash of "password" by Argon2 of RFC 9106. */
function passwordOf(index: number): Members {
  const password = `password${index}`;
  if (index % 3 === 0) return { value: password };
  if (index % 3 === 1)
    return hashed('pbkdf2-sha256', 1000, 'c2FsdA==', pbkdf2Sync(password, 'salt', 1000, 64, 'sha256'));
  const key = Buffer.from('09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7', 'hex');
  const parameters = { hashLength: ['32'], memory: ['65536'], type: ['id'], version: ['1.3'], parallelism: ['1'] };
  return hashed('argon2', 2, 'c29tZXNhbHQ=', key, parameters);
}

export function hashed(algorithm: string, hashIterations: number, salt: string, key: Buffer, parameters: Members = {}) {
  return {
    secretData: JSON.stringify({ value: key.toString('base64'), salt, additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters: parameters }),
  };
}
