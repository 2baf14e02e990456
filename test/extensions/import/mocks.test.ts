import { describe, expect, it } from 'vitest';
import { importFiles } from './support.ts';

const jsonConfig = {
  interactiveLogin: false,
  httpServer: { type: 'NettyWrapper', ssl: {} },
  loginPagePath: '/config/login.html',
  tokenProvider: { keyProvider: { algorithm: 'ES256' }, systemTime: '2020-01-21T00:00:00Z' },
  tokenCallbacks: [
    {
      issuerId: 'issuer1',
      tokenExpiry: 120,
      requestMappings: [
        {
          requestParam: 'code',
          match: 'code1',
          claims: { sub: 'alice', aud: ['app'], email: 'alice@shop.example', groups: ['buyers'] },
        },
        { requestParam: 'scope', match: 'admin', typeHeader: 'at+jwt', claims: { sub: '${clientId}', level: 4 } },
        { requestParam: 'client_id', match: 'billing', claims: { aud: ['billing-api'], tenant: '${clientId}' } },
        {
          requestParam: 'grant_type',
          match: 'client_credentials',
          claims: { sub: 'svc', roles: ['batch'], tenant: '${clientId}', user: '${someparam}' },
        },
      ],
    },
    { issuerId: 'issuer2', requestMappings: [{ requestParam: 'scope', match: '.*', claims: { sub: 'bob' } }] },
  ],
  future: true,
};

describe('the JSON_CONFIG of mock-oauth2-server', () => {
  it('becomes an issuer for each issuerId, with the users, scopes and clients of its claims', async () => {
    const { config, titles } = await importFiles({ 'mock.json': jsonConfig });
    expect(titles).toEqual(['the JSON_CONFIG of mock-oauth2-server']);
    const claims = { email: 'alice@shop.example', groups: ['buyers'] };
    expect(config).toEqual({
      signingAlg: 'ES256',
      anyClient: true,
      anyIssuer: true,
      issuers: {
        issuer1: {
          accessTokenLifetime: 120,
          idTokenLifetime: 120,
          autoLogin: 'alice',
          users: [{ sub: 'alice', claims, access_token_claims: claims }],
          scopes: { admin: {} },
          clients: [
            {
              client_id: 'billing',
              client_secret: 'billing-secret',
              grant_types: ['authorization_code', 'client_credentials', 'refresh_token'],
              loopback_redirects: true,
              audience: 'billing-api',
            },
          ],
          // only the first mapping counts that fits a request
          tokenClaims: [
            { for: ['idToken', 'userinfo'], claims: { email: '${user[email]}', groups: '${user[groups]}' } },
            { scope: 'admin', claims: { level: 4 } },
            { client: 'billing', when: '!scopes=admin', claims: { tenant: 'billing' } },
            {
              grant: 'client_credentials',
              when: ['!scopes=admin', '!client.client_id=billing'],
              claims: { roles: ['batch'], tenant: '${client.client_id}' },
            },
          ],
        },
        issuer2: { autoLogin: 'bob', users: [{ sub: 'bob' }] },
      },
    });
  });

  it('tells by path what has no counterpart', async () => {
    const { notes } = await importFiles({ 'mock.json': jsonConfig });
    const at = 'tokenCallbacks["issuer1"].requestMappings';
    expect(notes).toEqual([
      'loginPagePath: the sandbox has a sign-in page of its own',
      'future: not a member of the configuration that this version knows',
      'tokenProvider.systemTime: freeze the clock by the control API: POST /_sandbox/clock',
      'httpServer.ssl: set TLS=self-signed, or TLS_CERT and TLS_KEY',
      `${at}[0].claims.aud: left out: \`aud\` is the \`audience\` of the client, or the \`resource\` of the request`,
      `${at}[1].typeHeader: the header \`typ\` of tokens cannot be chosen`,
      `${at}[1].claims.sub: left out: \`sub\` is that of the user who signs in`,
      `${at}[3].claims.sub: left out: \`sub\` of a client that acts for itself is its \`client_id\``,
      `${at}[3].claims.user: left out, because it has a template that is not known`,
      `${at}[2]: the mock accepts any secret, but an \`audience\` needs a client: its \`client_secret\` is its id with \`-secret\``,
      'tokenCallbacks["issuer2"].requestMappings[0].claims.sub: is the user of a sign-in; `sub` of a client that acts for itself is its `client_id`',
    ]);
  });

  it.each([
    ['of a client by a pattern', 'client_id', 'crane-.*', { when: 'client.client_id~crane-.*' }],
    ['of several scopes', 'scope', 'openid berths', { when: 'request.scope=openid berths' }],
    ['of an audience by a pattern', 'audience', 'cluster:ns:.*', { when: 'request.audience~cluster:ns:.*' }],
    ['of a value', 'tenant', 'north', { when: 'request.tenant=north' }],
    ['of a text that is no expression', 'tenant', '[', { when: 'request.tenant=[' }],
    ['of alternatives', 'client_id', '(crane|tug)', { client: ['crane', 'tug'] }],
    ['of any client', 'client_id', '*', {}],
    ['of any code', 'code', '*', { grant: 'authorization_code' }],
    ['of a parameter', 'audience', '.*', { when: 'request.audience' }],
    ['of an audience', 'audience', 'cluster:ns:app', { when: 'request.audience=cluster:ns:app' }],
    ['of an unknown grant', 'grant_type', 'own', undefined],
    ['of a secret', 'refresh_token', 'one', undefined],
  ])('has a rule for the claims %s, or lists the mapping', async (_, requestParam, match, condition) => {
    const requestMappings = [{ requestParam, match, claims: { tide: 'high' } }];
    const { config, notes } = await importFiles({
      'mock.json': { tokenCallbacks: [{ issuerId: 'a', requestMappings }] },
    });
    expect(config.issuers?.a?.tokenClaims).toEqual(condition && [{ ...condition, claims: { tide: 'high' } }]);
    const left = `tokenCallbacks["a"].requestMappings[0]: left out, because no rule can ask for ${requestParam} = ${match}`;
    expect(notes.includes(left)).toBe(condition === undefined);
  });

  it('lists a mapping that no request reaches, as the mock never uses it', async () => {
    const mapping = (requestParam: string, match: string, tide: string) => ({ requestParam, match, claims: { tide } });
    const requestMappings = [
      mapping('audience', 'north|south', 'low'),
      mapping('grant_type', '*', 'high'),
      mapping('scope', 'berths', 'none'),
    ];
    const { config, notes } = await importFiles({
      'mock.json': { tokenCallbacks: [{ issuerId: 'a', requestMappings }] },
    });
    expect(config.issuers?.a?.tokenClaims).toEqual([
      { when: 'request.audience~north|south', claims: { tide: 'low' } },
      { when: '!request.audience~north|south', claims: { tide: 'high' } },
    ]);
    expect(notes).toContain(
      'tokenCallbacks["a"].requestMappings[2]: left out, because an earlier one fits each request',
    );
  });

  it('is known by any of its members, and accepts any client and any issuer as the mock does', async () => {
    const provider = { keyProvider: { algorithm: 'ES256' } };
    const file = { interactiveLogin: true, httpServer: 'NettyWrapper', tokenProvider: provider };
    const { config, notes } = await importFiles({ 'mock.json': file });
    expect(config).toEqual({ signingAlg: 'ES256', anyClient: true, anyIssuer: true });
    expect(notes).toEqual([]);
    for (const [name, value] of Object.entries(file))
      expect((await importFiles({ 'mock.json': { [name]: value } })).titles).toHaveLength(1);
  });

  it('leaves the login page where users choose', async () => {
    const { config } = await importFiles({ 'mock.json': { ...jsonConfig, interactiveLogin: true } });
    expect(config.issuers?.issuer2).toEqual({ users: [{ sub: 'bob' }] });
  });
});

const clients = [
  {
    ClientId: 'web',
    ClientName: 'Web shop',
    ClientSecrets: ['web-secret', 'second'],
    AllowedGrantTypes: ['authorization_code'],
    AllowOfflineAccess: true,
    RedirectUris: ['https://shop.example/callback', 'http://localhost:*'],
    PostLogoutRedirectUris: ['https://shop.example/bye'],
    AllowedCorsOrigins: ['https://shop.example', 'https://embed.example'],
    AllowedScopes: ['openid', 'profile', 'some-app-scope-1'],
    IdentityTokenLifetime: 3600,
    AccessTokenLifetime: 600,
    RequirePkce: true,
    AlwaysIncludeUserClaimsInIdToken: true,
    AccessTokenType: 'Reference',
    Future: 1,
  },
  {
    ClientId: 'spa',
    RequireClientSecret: false,
    ClientSecrets: [{ Value: 'unused' }],
    AllowedGrantTypes: ['implicit', 'own'],
    RedirectUris: ['http://localhost:3000/auth/oidc'],
    AllowAccessTokensViaBrowser: true,
  },
  {
    ClientId: 'service',
    ClientSecrets: ['service-secret'],
    AllowedGrantTypes: ['client_credentials'],
    AllowedScopes: ['some-app'],
    ClientClaimsPrefix: '',
    Claims: [
      { Type: 'string_claim', Value: 'string_claim_value' },
      { Type: 'json_claim', Value: "['value1', 'value2']", ValueType: 'json' },
    ],
  },
];
const users = [
  {
    SubjectId: '1',
    Username: 'User1',
    Password: 'pwd',
    Claims: [
      { Type: 'name', Value: 'Sam Tailor' },
      { Type: 'email_verified', Value: 'true' },
      { Type: 'role', Value: 'admin' },
      { Type: 'role', Value: 'buyer' },
      { Type: 'age', Value: '42', ValueType: 'integer' },
      { Type: 'some-api-scope-claim', Value: 'for the API' },
    ],
  },
  { SubjectId: '2', IsActive: false },
];

const expectedClients = [
  {
    client_id: 'web',
    client_name: 'Web shop',
    client_secret: 'web-secret',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['https://shop.example/callback'],
    loopback_redirects: true,
    post_logout_redirect_uris: ['https://shop.example/bye'],
    web_origins: ['https://embed.example'],
    scope: 'openid profile some-app-scope-1',
    audience: 'some-app',
    require_pkce: true,
    id_token_claims: 'all',
    access_token_lifetime: 600,
    id_token_lifetime: 3600,
  },
  { client_id: 'spa', grant_types: ['implicit'], redirect_uris: ['http://localhost:3000/auth/oidc'] },
  {
    client_id: 'service',
    client_secret: 'service-secret',
    grant_types: ['client_credentials'],
    scope: 'some-app',
    audience: 'some-app',
    access_token_claims: { string_claim: 'string_claim_value', json_claim: ['value1', 'value2'] },
  },
];

/** As a Compose file has it: YAML with YAML and JSON in its texts. */
const compose = `
services:
  app:
    image: app
    environment: [DEBUG=1]
  idp:
    image: ghcr.io/soluto/oidc-server-mock:latest
    environment:
      ASPNETCORE_ENVIRONMENT: Development
      SERVER_OPTIONS_INLINE: |
        AccessTokenJwtType: JWT
      API_SCOPES_INLINE: |
        - Name: some-app-scope-1
          Description: use the app
          UserClaims: [some-api-scope-claim]
      API_RESOURCES_INLINE: |
        - Name: some-app
          Scopes: [some-app-scope-1]
      IDENTITY_RESOURCES_INLINE: |
        [{ "Name": "roles", "ClaimTypes": ["role"] }]
      USERS_CONFIGURATION_INLINE: '${JSON.stringify(users).replaceAll("'", "''")}'
      CLIENTS_CONFIGURATION_INLINE: '${JSON.stringify(clients).replaceAll("'", "''")}'
`;

describe('the configuration of oidc-server-mock', () => {
  it('becomes clients, users and scopes, from a Compose file as from its lists', async () => {
    const { config, titles } = await importFiles({ 'docker-compose.yml': compose });
    expect(titles).toEqual(['the configuration of oidc-server-mock']);
    expect(config).toEqual({
      clients: expectedClients,
      users: [
        {
          sub: '1',
          username: 'User1',
          password: 'pwd',
          claims: {
            name: 'Sam Tailor',
            email_verified: true,
            role: ['admin', 'buyer'],
            age: 42,
            'some-api-scope-claim': 'for the API',
          },
          access_token_claims: { 'some-api-scope-claim': 'for the API' },
        },
      ],
      scopes: {
        'some-app-scope-1': { description: 'use the app', claims: ['some-api-scope-claim'] },
        roles: { claims: ['role'] },
      },
    });
    const lists = await importFiles({ 'clients-config.json': clients, 'users.json': users });
    expect(lists.config.clients?.map(({ client_id }) => client_id)).toEqual(['web', 'spa', 'service']);
    expect(lists.config.users).toMatchObject([{ sub: '1', password: 'pwd' }]);
  });

  it('tells by path what has no counterpart', async () => {
    const { notes } = await importFiles({ 'docker-compose.yml': compose });
    expect(notes).toEqual([
      'SERVER_OPTIONS_INLINE: the sandbox has settings of its own: grantbox --help lists them',
      'CLIENTS_CONFIGURATION_INLINE["web"].AccessTokenType: access tokens are JWTs',
      'CLIENTS_CONFIGURATION_INLINE["web"].Future: not a member of a client that this version knows',
      'CLIENTS_CONFIGURATION_INLINE["web"].ClientSecrets[1]: a client has one secret: the first',
      'CLIENTS_CONFIGURATION_INLINE["spa"].AllowedGrantTypes[1]: a grant that the sandbox does not have',
      'USERS_CONFIGURATION_INLINE["2"]: left out, because the user is not active',
    ]);
  });

  it('is found beside the JSON_CONFIG of the other mock in one Compose file', async () => {
    const services = {
      one: { environment: [`JSON_CONFIG=${JSON.stringify(jsonConfig)}`] },
      two: { environment: { CLIENTS_CONFIGURATION_INLINE: JSON.stringify(clients) } },
    };
    const { config, titles } = await importFiles({ 'compose.yaml': { services } });
    expect(titles).toEqual(['the JSON_CONFIG of mock-oauth2-server', 'the configuration of oidc-server-mock']);
    expect(Object.keys(config.issuers ?? {})).toEqual(['issuer1', 'issuer2']);
    expect(config.clients).toHaveLength(3);
  });
});
