import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashFits } from '../../../src/protocol/users/password-hash.ts';
import { importFiles } from './support.ts';

/** As `a0deploy export -f yaml` writes it. */
const tenantYaml = `
tenant:
  friendly_name: Shop
clients:
  - name: Default App
    callbacks: []
    cross_origin_authentication: false
    custom_login_page_on: true
    grant_types: [authorization_code, implicit, refresh_token, client_credentials]
    is_first_party: true
    jwt_configuration: { alg: RS256, lifetime_in_seconds: 36000, secret_encoded: false }
    oidc_conformant: true
    refresh_token: { expiration_type: non-expiring, rotation_type: non-rotating, token_lifetime: 31557600 }
    sso_disabled: false
  - name: Shop
    app_type: spa
    allowed_logout_urls: ['http://localhost:3000']
    allowed_origins: ['https://*.preview.example', 'https://shop.example/']
    callbacks: ['http://localhost:3000', 'https://*.preview.example/callback']
    grant_types: [authorization_code, refresh_token, 'http://auth0.com/oauth/grant-type/mfa-otp']
    refresh_token: { rotation_type: rotating, token_lifetime: 2592000 }
    token_endpoint_auth_method: none
    web_origins: ['http://localhost:3000']
    future_member: 1
  - name: Worker
    app_type: non_interactive
    client_id: worker-id
    client_secret: worker-secret
    grant_types: [client_credentials]
clientGrants:
  - client_id: Worker
    audience: https://api.shop.example
    scope: ['read:orders']
resourceServers:
  - name: Shop API
    identifier: https://api.shop.example
    scopes:
      - value: read:orders
        description: see your orders
    signing_alg: RS256
    token_lifetime: 86400
roles:
  - name: admin
    permissions: []
connections: []
actions:
  - name: add claims
attackProtection:
  bruteForceProtection: { enabled: true }
`;

describe('a tenant of the Auth0 deploy CLI', () => {
  it('becomes clients with their APIs, and scopes', async () => {
    const { config, titles } = await importFiles({ 'tenant.yaml': tenantYaml });
    expect(titles).toEqual(['an Auth0 tenant of the deploy CLI']);
    const audience = 'https://api.shop.example';
    expect(config).toEqual({
      clients: [
        {
          client_id: 'Default App',
          client_secret: 'Default App-secret',
          grant_types: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
          loopback_redirects: true,
          audience,
          id_token_lifetime: 36000,
          refresh_token_rotation: false,
        },
        {
          client_id: 'Shop',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: ['http://localhost:3000'],
          post_logout_redirect_uris: ['http://localhost:3000'],
          redirect_uri_patterns: ['https://*.preview.example/callback'],
          web_origins: ['https://shop.example'],
          audience,
          refresh_token_rotation: true,
          refresh_token_lifetime: 2592000,
        },
        {
          client_id: 'worker-id',
          client_name: 'Worker',
          client_secret: 'worker-secret',
          grant_types: ['client_credentials'],
          audience,
        },
      ],
      scopes: { 'read:orders': { description: 'see your orders' } },
    });
  });

  it('tells by path what has no counterpart', async () => {
    const { notes } = await importFiles({ 'tenant.yaml': tenantYaml });
    expect(notes).toEqual([
      'tenant, attackProtection: settings of the tenant have no counterpart',
      'roles: roles belong to users here: write them as `claims.roles`',
      'actions: `onToken: { auth0Action }` runs an Action: see docs/token-claims.md',
      'resourceServers["https://api.shop.example"].token_lifetime: `access_token_lifetime` of the clients is the lifetime of tokens',
      'clientGrants["Worker"].scope: a client may ask for all scopes: `scope` of the client limits them',
      expect.stringMatching(
        /^clients\["Default App"\] and 1 like it: the export has no `client_id`, so it is the name/,
      ),
      expect.stringMatching(/^clients\["Default App"\]: the export has no secret/),
      'clients["Default App"].callbacks: no redirect URI is left, so any on this machine is accepted',
      'clients["Shop"].future_member: not a member of a client that this version knows',
      'clients["Shop"].grant_types[2]: a grant that the sandbox does not have',
      expect.stringMatching(/^clients\["Shop"\]\.allowed_origins: a pattern cannot be kept/),
    ]);
  });

  it('is read from its folders, too', async () => {
    const files = {
      'tenant.json': { friendly_name: 'Shop' },
      'clients/Shop.json': { name: 'Shop', app_type: 'spa', callbacks: ['http://localhost:3000'] },
      'resource-servers/Shop API.json': { identifier: 'https://api.shop.example', scopes: [] },
      'roles/admin.json': { name: 'admin' },
      'database-connections/users/database.json': { name: 'users' },
    };
    const { config, notes } = await importFiles(files);
    expect(config.clients).toMatchObject([{ client_id: 'Shop', audience: 'https://api.shop.example' }]);
    expect(notes.join('\n')).toMatch(/^databaseConnections: not a member of a tenant that this version knows$/m);
  });
});

const bulk = [
  {
    user_id: 'abc',
    email: 'ann@shop.example',
    email_verified: true,
    username: 'ann',
    given_name: 'Ann',
    blocked: false,
    custom_password_hash: {
      algorithm: 'pbkdf2',
      hash: { value: '$pbkdf2-sha256$i=27500,l=32$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA', encoding: 'utf8' },
    },
    app_metadata: { plan: 'free' },
  },
  {
    email: 'bob@shop.example',
    password_hash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  },
  { user_id: 'google-oauth2|1', email: 'carol@shop.example', blocked: true },
];

describe('users of an Auth0 bulk import', () => {
  it('become users, with the hashes that can be checked', async () => {
    const { config, notes } = await importFiles({ 'users.json': bulk });
    expect(config).toEqual({
      users: [
        {
          sub: 'auth0|abc',
          username: 'ann',
          password_hash: '$pbkdf2-sha256$i=27500,l=32$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
          claims: {
            app_metadata: { plan: 'free' },
            name: 'ann@shop.example',
            given_name: 'Ann',
            email: 'ann@shop.example',
            email_verified: true,
          },
        },
        {
          sub: 'auth0|bob@shop.example',
          username: 'bob@shop.example',
          password_hash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
          claims: { name: 'bob@shop.example', email: 'bob@shop.example', email_verified: false },
        },
      ],
    });
    expect(notes).toEqual(['["google-oauth2|1"]: left out, because the user is blocked']);
  });

  it('have hashes of scrypt checked, whose parameters are members', async () => {
    const [salt, key] = ['salt of it', scryptSync('pw', 'salt of it', 32, { N: 1024, r: 8, p: 1 }).toString('hex')];
    const custom_password_hash = {
      algorithm: 'scrypt',
      hash: { value: key, encoding: 'hex' },
      salt: { value: salt, encoding: 'utf8' },
      cost: 1024,
      keylen: 32,
    };
    const { config, notes } = await importFiles({ 'users.json': [{ email: 'a@shop.example', custom_password_hash }] });
    const { password_hash = '' } = config.users?.[0] ?? {};
    expect([await hashFits(password_hash, 'pw'), await hashFits(password_hash, 'other')]).toEqual([true, false]);
    expect(notes).toEqual([]);
  });

  // the hashes were made by openssl
  const salt = { value: 'nacl' };
  it.each([
    ['md5', { hash: { value: '5f4dcc3b5aa765d61d8327deb882cf99', encoding: 'hex' } }],
    [
      'sha1',
      { hash: { value: 'yZ2olCmRnRCqxdybqfYilk9gqEk=', encoding: 'base64' }, salt: { ...salt, position: 'suffix' } },
    ],
    [
      'sha1',
      {
        hash: { value: 'omolLX4C9m1LCmY+L1rAPwuHxDM=', encoding: 'base64' },
        salt: { value: '6e61636c', encoding: 'hex', position: 'suffix' },
        password: { encoding: 'utf16le' },
      },
      'pässwort',
    ],
    [
      'sha256',
      { hash: { value: '5E884898DA28047151D0E56F8DC6292773603D0D6AABBDD62A11EF721D1542D8', encoding: 'hex' } },
    ],
    [
      'hmac',
      {
        hash: {
          value: '91f28972cf1b0d558708017902a4ac16996ac69ce12a1a933f76d7f11d739c89',
          encoding: 'hex',
          digest: 'sha256',
          key: { value: 'c2VjcmV0', encoding: 'base64' },
        },
        salt: { ...salt, position: 'prefix' },
      },
    ],
    ['bcrypt', { hash: { value: '$2b$10$yobOT8CyiI3Ls6BM/.MNWu.O6UcaOinlpRnEkPJttZn2dQZ5uZC42' } }, '42'],
    ['ldap', { hash: { value: '{SSHA}yZ2olCmRnRCqxdybqfYilk9gqEluYWNs', encoding: 'utf8' } }],
  ])('have hashes of %s checked', async (algorithm, members, password = 'password') => {
    const custom_password_hash = { algorithm, ...members };
    const { config, notes } = await importFiles({ 'users.json': [{ email: 'a@shop.example', custom_password_hash }] });
    const { password_hash = '' } = config.users?.[0] ?? {};
    expect([await hashFits(password_hash, password), await hashFits(password_hash, 'other')]).toEqual([true, false]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['md4', 'md4', {}],
    ['hmac', 'hmac-whirlpool', { digest: 'whirlpool' }],
  ])('tell the kind of a hash that is not checked: %s', async (algorithm, kind, members) => {
    const custom_password_hash = { algorithm, hash: { value: 'x', encoding: 'hex', ...members } };
    const { notes } = await importFiles({ 'users.json': [{ email: 'a@shop.example', custom_password_hash }] });
    const said = `hashes of ${kind} are not checked here, so any password is accepted`;
    expect(notes).toEqual([`["a@shop.example"].custom_password_hash: ${said}`]);
  });

  it.each([
    ['sha256', 'a hash of 32 bytes, as sha256 makes them'],
    ['pbkdf2', 'a hash in the PHC format'],
    ['ldap', 'in that of LDAP'],
    ['bcrypt', 'in that of bcrypt'],
  ])('tell the problem of a hash that could be checked: %s', async (algorithm, problem) => {
    const custom_password_hash = { algorithm, hash: { value: 'abcd', encoding: 'hex' } };
    const { config, notes } = await importFiles({ 'users.json': [{ email: 'a@shop.example', custom_password_hash }] });
    expect(config.users?.[0]).not.toHaveProperty('password_hash');
    expect(notes).toEqual([
      expect.stringMatching(/^\["a@shop.example"\]: `password_hash` .*; any password is accepted$/),
    ]);
    expect(notes[0]).toContain(problem);
  });

  it('join the clients of their tenant in one folder', async () => {
    const { config } = await importFiles({ 'tenant.yaml': tenantYaml, 'users.json': bulk });
    expect([config.clients?.length, config.users?.length]).toEqual([3, 2]);
  });
});

const graphManifest = {
  id: '1',
  appId: '6731de76-14a6-49ae-97bc-6eba6914391e',
  displayName: 'Shop',
  signInAudience: 'AzureADMyOrg',
  identifierUris: ['api://shop'],
  isFallbackPublicClient: true,
  passwordCredentials: [{ hint: 'abc', keyId: '2' }],
  spa: { redirectUris: ['http://localhost:3000/'] },
  web: {
    redirectUris: ['https://shop.example/signin-oidc'],
    logoutUrl: 'https://shop.example/signout',
    implicitGrantSettings: { enableIdTokenIssuance: true, enableAccessTokenIssuance: false },
  },
  api: {
    oauth2PermissionScopes: [
      {
        value: 'access_as_user',
        isEnabled: true,
        adminConsentDescription: 'use the shop',
        userConsentDescription: null,
      },
      { value: 'old', isEnabled: false },
    ],
  },
  appRoles: [{ value: 'Admin' }],
  optionalClaims: { idToken: [{ name: 'upn' }] },
  futureMember: 1,
};

describe('the manifest of an Entra application', () => {
  it('becomes a client and the scopes of its API', async () => {
    const { config, notes, titles } = await importFiles({ 'manifest.json': graphManifest });
    expect(titles).toEqual(['the manifest of an Entra app']);
    const uris = ['https://shop.example/signin-oidc', 'http://localhost:3000/'];
    expect(config).toEqual({
      clients: [
        {
          client_id: graphManifest.appId,
          client_name: 'Shop',
          client_secret: `${graphManifest.appId}-secret`,
          grant_types: [
            ...['authorization_code', 'refresh_token', 'implicit', 'client_credentials'],
            'urn:ietf:params:oauth:grant-type:device_code',
          ],
          redirect_uris: uris,
          post_logout_redirect_uris: uris,
          scope: 'openid profile email offline_access api://shop/access_as_user',
          audience: 'api://shop',
        },
      ],
      scopes: { 'api://shop/access_as_user': { description: 'use the shop' } },
    });
    expect(notes).toEqual([
      'appRoles: roles belong to users here: write them as `claims.roles`',
      'optionalClaims: put these claims into `claims` and `access_token_claims` of the users',
      'futureMember: not a member of a manifest that this version knows',
      'api.oauth2PermissionScopes[1]: left out, because it is disabled',
      'passwordCredentials: the export has no secret: `client_secret` is the `appId` with `-secret`',
      'web.logoutUrl: add `frontchannel_logout_uri` to the client, if it expects such calls',
    ]);
  });

  it('is read in its older form, too', async () => {
    const { config } = await importFiles({
      'manifest.json': {
        appId: 'app',
        name: 'Old',
        signInAudience: 'AzureADMyOrg',
        replyUrlsWithType: [{ url: 'http://localhost:5081/signin-oidc', type: 'Web' }],
        oauth2Permissions: [{ value: 'access', isEnabled: true }],
      },
    });
    expect(config.clients).toMatchObject([
      { client_id: 'app', redirect_uris: ['http://localhost:5081/signin-oidc'], audience: 'app' },
    ]);
  });
});

describe('the file of firebase auth:export', () => {
  it('becomes users, with custom claims in each token', async () => {
    const { config, notes } = await importFiles({
      'firebase.json': {
        users: [
          {
            localId: '111',
            email: 'ann@shop.example',
            emailVerified: true,
            passwordHash: 'Jlf7onfLbzqPNFP/1pqhx6fQF/w=',
            salt: 'c2FsdC0x',
            displayName: 'Ann',
            photoUrl: 'https://shop.example/ann.png',
            createdAt: '1486324188000',
            lastSignedInAt: '1486324188000',
            customAttributes: '{"admin":true}',
            providerUserInfo: [{ providerId: 'google.com', rawId: '1' }],
          },
          { localId: '222', phoneNumber: '+49151', customAttributes: '[', providerUserInfo: [] },
          { localId: '333', disabled: true },
        ],
      },
    });
    expect(config.users).toEqual([
      {
        sub: '111',
        username: 'ann@shop.example',
        claims: {
          name: 'Ann',
          picture: 'https://shop.example/ann.png',
          email: 'ann@shop.example',
          email_verified: true,
          admin: true,
        },
        access_token_claims: { admin: true },
      },
      { sub: '222', claims: { phone_number: '+49151', phone_number_verified: true } },
    ]);
    expect(notes).toEqual([
      'users["111"].providerUserInfo[0]: identity brokering is not served: the user signs in here',
      'users["111"].passwordHash: needs the key of the project, so any password is accepted',
      'users["222"].customAttributes: left out, because it is not JSON',
      'users["333"]: left out, because the user is disabled',
    ]);
  });
});

describe('the accounts of the Firebase emulator', () => {
  it('have their passwords, which it writes as text', async () => {
    const account = {
      localId: '1',
      email: 'ann@shop.example',
      passwordHash: 'fakeHash:salt=fakeSaltX:password=pw',
      salt: 'fakeSaltX',
      providerUserInfo: [{ providerId: 'password', email: 'ann@shop.example', rawId: 'ann@shop.example' }],
    };
    const file = { kind: 'identitytoolkit#DownloadAccountResponse', users: [account] };
    const { config, notes } = await importFiles({ 'accounts.json': file });
    expect(config.users).toMatchObject([{ sub: '1', username: 'ann@shop.example', password: 'pw' }]);
    expect(notes).toEqual([]);
  });
});

describe('users of a Cognito pool', () => {
  const claims = {
    name: 'Ann, of the shop',
    email: 'ann@shop.example',
    email_verified: true,
    address: { formatted: 'Main Street 1' },
    'custom:plan': 'free',
    'cognito:username': 'ann',
  };

  it('are read from the answer of list-users', async () => {
    const attributes = { sub: 'uuid-1', ...claims, email_verified: 'true', address: 'Main Street 1' };
    const { 'cognito:username': Username, ...rest } = attributes;
    const Attributes = Object.entries(rest).map(([Name, Value]) => ({ Name, Value }));
    const users = { Users: [{ Username, Attributes, Enabled: true, UserStatus: 'CONFIRMED' }], PaginationToken: 'x' };
    const { config, notes } = await importFiles({ 'users.json': users });
    expect(config.users).toEqual([{ sub: 'uuid-1', username: 'ann', claims }]);
    expect(notes).toEqual([
      'PaginationToken: the export has more pages',
      'Users: have no passwords, so any password is accepted',
    ]);
  });

  it('are read from the table of an import', async () => {
    const names = 'name,email,email_verified,address,updated_at,custom:plan,cognito:mfa_enabled,cognito:username';
    const row = '"Ann, of the shop",ann@shop.example,TRUE,"{""formatted"":""Main Street 1""}",,free,FALSE,ann';
    const { config, titles } = await importFiles({ 'users.csv': `${names}\r\n${row}\r\n` });
    expect(titles).toEqual(['users of a Cognito pool']);
    expect(config.users).toEqual([{ sub: 'ann', claims }]);
  });
});
