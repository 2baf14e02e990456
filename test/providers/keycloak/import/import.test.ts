import { describe, expect, it } from 'vitest';
import { importRealm } from '../../../../src/extensions/import/keycloak/realm.ts';
import { printConfig } from '../../../../src/extensions/import/print.ts';
import { formatOf } from '../../../../src/extensions/import/read-imports.ts';
import { readJson } from '../../../../src/extensions/import/read-text.ts';
import type { SandboxConfig } from '../../../../src/sandbox/config/sandbox-config.ts';
import { realmExport } from '../../../support/keycloak-realm.ts';
import { loadConfig } from '../../../support/load-config.ts';

const read = (realm: object) => importRealm({ realm: 'shop', ...realm });

/** The text of a configuration that was made of the text of an export. */
function importText(text: string): string {
  const parsed = readJson(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return printConfig(importRealm(parsed.value).config, 'a test');
}

const redirectUris = ['https://shop.example/callback'];
function client(members: object) {
  const { config, notes } = read({ clients: [{ clientId: 'app', secret: 'app-secret', redirectUris, ...members }] });
  return { client: config.clients?.[0], notes };
}

/** Each row: members of a client in an export, members of the client here, and the notes. */
const clientRows: readonly (readonly [string, object, object | undefined, (readonly string[])?])[] = [
  ['a secret', {}, { client_secret: 'app-secret', grant_types: ['authorization_code', 'refresh_token'] }],
  ['a name', { name: 'App' }, { client_name: 'App' }],
  [
    'a public client that may leave out PKCE',
    { publicClient: true },
    { redirect_uris: redirectUris },
    ['clients["app"]: a public client must use PKCE here; in the realm it may leave it out'],
  ],
  [
    'a public client with PKCE',
    { publicClient: true, attributes: { 'pkce.code.challenge.method': 'S256' } },
    { redirect_uris: redirectUris },
  ],
  ['no secret', { secret: undefined }, { client_secret: 'app-secret' }, ['`client_secret` is the name of the client']],
  ['a masked secret', { secret: '**********' }, { client_secret: 'app-secret' }, ['clients["app"].secret']],
  [
    'all flows',
    { implicitFlowEnabled: true, directAccessGrantsEnabled: true, serviceAccountsEnabled: true },
    { grant_types: ['authorization_code', 'implicit', 'password', 'client_credentials', 'refresh_token'] },
  ],
  ['no flow', { standardFlowEnabled: false }, undefined, ['all of its flows are off']],
  ['a disabled client', { enabled: false }, undefined, ['clients["app"]: left out, because it is disabled']],
  ['SAML', { protocol: 'saml' }, undefined, ['the sandbox does not speak saml']],
  [
    'a service account',
    { standardFlowEnabled: false, serviceAccountsEnabled: true, redirectUris: [] },
    { grant_types: ['client_credentials'] },
  ],
  [
    'a device',
    { standardFlowEnabled: false, attributes: { 'oauth2.device.authorization.grant.enabled': 'true' } },
    { grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] },
  ],
  ['no refresh tokens', { attributes: { 'use.refresh.tokens': 'false' } }, { grant_types: ['authorization_code'] }],
  ['consent', { consentRequired: true }, { require_consent: true }],
  ['PKCE', { attributes: { 'pkce.code.challenge.method': 'S256' } }, { require_pkce: true }],
  [
    'attributes that switch nothing on',
    { attributes: { realm_client: 'false', 'acr.loa.map': '{}', 'request.object.required': 'not required' } },
    {},
  ],
  [
    'PKCE in plain',
    { attributes: { 'pkce.code.challenge.method': 'plain' } },
    { require_pkce: true },
    ['`S256` is required'],
  ],
  ['DPoP', { attributes: { 'dpop.bound.access.tokens': 'true' } }, { dpop_bound_access_tokens: true }],
  [
    'a lifetime',
    { attributes: { 'access.token.lifespan': '60' } },
    { access_token_lifetime: 60, id_token_lifetime: 60 },
  ],
  [
    'a back-channel logout',
    {
      attributes: {
        'backchannel.logout.url': 'https://shop.example/out',
        'backchannel.logout.session.required': 'true',
      },
    },
    { backchannel_logout_uri: 'https://shop.example/out', backchannel_logout_session_required: true },
  ],
  ['any port of this machine', { redirectUris: ['http://localhost:*'] }, { loopback_redirects: true }],
  ['any path of this machine', { redirectUris: ['http://127.0.0.1:3000/*'] }, { loopback_redirects: true }],
  ['any address', { redirectUris: ['*'] }, { loopback_redirects: true }, ['a lone `*` was replaced']],
  [
    'a pattern of another host',
    {
      redirectUris: ['https://shop.example/*', ...redirectUris],
      webOrigins: ['+', 'https://shop.example', 'https://b.example'],
    },
    {
      redirect_uris: redirectUris,
      redirect_uri_patterns: ['https://shop.example/*'],
      web_origins: ['https://b.example'],
    },
  ],
  [
    'a pattern that covers other hosts',
    { redirectUris: ['https://shop.example*', ...redirectUris] },
    { redirect_uris: redirectUris },
    ['clients["app"].redirectUris[0]: a pattern cannot be kept: write each address', '"https://shop.example/callback"'],
  ],
  [
    'a pattern of logout addresses',
    { redirectUris, attributes: { 'post.logout.redirect.uris': 'https://shop.example/bye/*##+' } },
    { post_logout_redirect_uri_patterns: ['https://shop.example/bye/*'], post_logout_redirect_uris: redirectUris },
  ],
  [
    'a relative redirect URI',
    { rootUrl: 'https://shop.example/', redirectUris: ['/callback'] },
    { redirect_uris: redirectUris },
  ],
  [
    'a relative one below the home page',
    { baseUrl: 'https://shop.example', redirectUris: ['/callback'] },
    { redirect_uris: redirectUris, client_uri: 'https://shop.example' },
  ],
  [
    'a relative one without a root',
    { redirectUris: ['/a'] },
    { loopback_redirects: true },
    ['needs an absolute `rootUrl`'],
  ],
  [
    'logout URIs',
    { attributes: { 'post.logout.redirect.uris': '+##https://shop.example/bye' } },
    { post_logout_redirect_uris: [...redirectUris, 'https://shop.example/bye'] },
  ],
  ['web origins', { webOrigins: ['+', 'https://a.example'] }, { web_origins: ['https://a.example'] }],
  ['every web origin', { webOrigins: ['*'] }, { redirect_uris: redirectUris }, ['clients["app"].webOrigins: a `*`']],
  [
    'scopes',
    { defaultClientScopes: ['web-origins', 'profile', 'staff'], optionalClientScopes: ['phone'] },
    { scope: 'openid profile staff phone', default_scope: 'profile staff' },
  ],
  ['keys', { clientAuthenticatorType: 'client-x509' }, { client_secret: 'app-secret' }, ['got a secret in place of']],
  ['a placeholder', { secret: '${SECRET}' }, { client_secret: '${SECRET}' }, ['clients["app"].secret: a placeholder']],
  ['an unknown member', { future: 1 }, {}, ['clients["app"].future: not a member of a client that this version knows']],
  ['an unusable name', { clientId: 'ä' }, undefined, ['`client_id` left out', 'cannot be an entry']],
];

describe('a client of a realm export', () => {
  const rows = clientRows.map(([name, members, expected, told = []]) => [name, { members, expected, told }] as const);
  it.each(rows)('has a counterpart for %s', (_, { members, expected, told }) => {
    const { client: found, notes } = client(members);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
    for (const words of told) expect(notes.join('\n')).toContain(words);
    if (told.length === 0) expect(notes.filter(line => line.startsWith('clients'))).toEqual([]);
  });

  it('is public without a secret', () => {
    expect(client({ publicClient: true }).client).not.toHaveProperty('client_secret');
  });
});

const key = Buffer.alloc(32, 1).toString('base64');
const hash = key.replace('=', '');
const hashedBy = (algorithm: string, parameters: object = {}) => ({
  secretData: JSON.stringify({ value: key, salt: 'c2FsdHNhbHQ=' }),
  credentialData: JSON.stringify({ hashIterations: 1000, algorithm, additionalParameters: parameters }),
});

describe('the password of a user of a realm export', () => {
  it.each([
    ['as text', { value: 'secret' }, { password: 'secret' }],
    ['by PBKDF2', hashedBy('pbkdf2-sha512'), { password_hash: `$pbkdf2-sha512$i=1000$c2FsdHNhbHQ$${hash}` }],
    [
      'by PBKDF2, of a version before 8',
      { algorithm: 'pbkdf2', hashIterations: 1000, salt: 'c2FsdHNhbHQ=', hashedSaltedValue: key },
      { password_hash: `$pbkdf2$i=1000$c2FsdHNhbHQ$${hash}` },
    ],
    [
      'by Argon2',
      hashedBy('argon2', { type: ['id'], version: ['1.3'], memory: ['7168'], parallelism: ['1'], hashLength: ['32'] }),
      { password_hash: `$argon2id$v=19$m=7168,t=1000,p=1$c2FsdHNhbHQ$${hash}` },
    ],
    [
      'by bcrypt, as the extension for it stores it',
      {
        secretData: JSON.stringify({ value: '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', salt: '' }),
        credentialData: '{"hashIterations":5,"algorithm":"bcrypt"}',
      },
      { password_hash: '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW' },
    ],
  ])('is kept %s', (_, credential, expected) => {
    const { config } = read({ users: [{ username: 'alice', credentials: [{ type: 'password', ...credential }] }] });
    expect(config.users?.[0]).toEqual({ sub: 'alice', ...expected, claims: { preferred_username: 'alice' } });
  });

  it.each([
    [
      'of an unknown kind',
      hashedBy('pbkdf2-sha3'),
      'users["alice"].credentials[0]: is a hash that the sandbox cannot check',
    ],
    [
      'of an old version of Argon2',
      hashedBy('argon2', { version: ['1.0'], memory: ['8'], parallelism: ['1'] }),
      'is a hash that the sandbox cannot check',
    ],
    [
      'that is no JSON',
      { ...hashedBy('pbkdf2'), secretData: '{' },
      'users["alice"].credentials[0]: is a hash that the sandbox cannot',
    ],
    ['by bcrypt without its own form', hashedBy('bcrypt'), '`password_hash` left out'],
    [
      'with a salt that is not base64',
      { ...hashedBy('pbkdf2'), secretData: `{"value":"${key}","salt":"ä"}` },
      '`password_hash` left out',
    ],
  ])('is left out as a hash %s', (_, credential, said) => {
    const { config, notes } = read({ users: [{ username: 'alice', credentials: [credential] }] });
    expect(config.users?.[0]).toEqual({ sub: 'alice', claims: { preferred_username: 'alice' } });
    expect(notes.join('\n')).toContain(said);
  });

  it('by Argon2 is told with the names of the users', () => {
    const credentials = [hashedBy('argon2', { memory: ['7168'], parallelism: ['1'] })];
    const users = Array.from({ length: 22 }, (_, index) => ({ username: `u${index}`, credentials }));
    expect(read({ users }).notes.join('\n')).toMatch(/^users: the Argon2 hashes of u0, .*, u19 and 2 more are/m);
  });
});

const shown = { 'access.token.claim': 'true', 'id.token.claim': 'true', 'userinfo.token.claim': 'true' };
const alice = {
  id: 'a',
  username: 'alice',
  email: 'alice@shop.example',
  firstName: 'Alice',
  lastName: 'Archer',
  attributes: { level: ['3'], tags: ['x', 'y'], street: ['Main St 1'], json: ['{"a":[1]}'] },
  realmRoles: ['admin'],
  clientRoles: { api: ['read'] },
  groups: ['/a/b'],
};

function mapped(protocolMapper: string, config: object) {
  return read({
    groups: [{ name: 'a', subGroups: [{ name: 'b' }] }],
    users: [alice],
    clients: [{ clientId: 'app', secret: 's', redirectUris, defaultClientScopes: ['own'], optionalClientScopes: [] }],
    clientScopes: [{ name: 'own', protocolMappers: [{ protocolMapper, config: { ...shown, ...config } }] }],
  });
}

const mapperRows: readonly (readonly [string, string, object, object])[] = [
  [
    'an attribute',
    'oidc-usermodel-attribute-mapper',
    { 'user.attribute': 'level', 'claim.name': 'level' },
    { level: '3' },
  ],
  [
    'a number',
    'oidc-usermodel-attribute-mapper',
    { 'user.attribute': 'level', 'claim.name': 'level', 'jsonType.label': 'int' },
    { level: 3 },
  ],
  [
    'a list',
    'oidc-usermodel-attribute-mapper',
    { 'user.attribute': 'tags', 'claim.name': 'tags', multivalued: 'true' },
    { tags: ['x', 'y'] },
  ],
  [
    'JSON',
    'oidc-usermodel-attribute-mapper',
    { 'user.attribute': 'json', 'claim.name': 'json', 'jsonType.label': 'JSON' },
    { json: { a: [1] } },
  ],
  [
    'a nested claim, and one with a dot',
    'oidc-usermodel-property-mapper',
    { 'user.attribute': 'username', 'claim.name': 'own.user\\.name' },
    { own: { 'user.name': 'alice' } },
  ],
  ['roles', 'oidc-usermodel-realm-role-mapper', { 'claim.name': 'authorities' }, { authorities: ['admin'] }],
  [
    'roles with a prefix',
    'oidc-usermodel-realm-role-mapper',
    { 'claim.name': 'authorities', 'usermodel.realmRoleMapping.rolePrefix': 'ROLE_' },
    { authorities: ['ROLE_admin'] },
  ],
  [
    'roles of a client',
    'oidc-usermodel-client-role-mapper',
    { 'claim.name': 'api', 'usermodel.clientRoleMapping.clientId': 'api' },
    { api: ['read'] },
  ],
  ['groups by name', 'oidc-group-membership-mapper', { 'claim.name': 'teams', 'full.path': 'false' }, { teams: ['b'] }],
  ['an address', 'oidc-address-mapper', {}, { address: { street_address: 'Main St 1' } }],
  ['a full name', 'oidc-full-name-mapper', {}, { name: 'Alice Archer' }],
];

describe('a mapper of a realm export', () => {
  it.each(mapperRows)('becomes a claim: %s', (_, kind, config, claims) => {
    const { config: made, notes } = mapped(kind, config);
    expect(made.users?.[0]).toMatchObject({ claims, access_token_claims: claims });
    expect(made.scopes?.own).toMatchObject({ claims: Object.keys(claims) });
    expect(notes.filter(line => line.startsWith('clientScopes'))).toEqual([]);
  });

  it('with a fixed value becomes a claim of the scope', () => {
    const fixed = { 'claim.name': 'tenant', 'claim.value': 'acme' };
    const { config } = mapped('oidc-hardcoded-claim-mapper', fixed);
    expect(config.scopes?.own).toEqual({ claims: ['tenant'], access_token_claims: { tenant: 'acme' } });
  });

  it('for an audience becomes the audience of the client', () => {
    const { config } = mapped('oidc-audience-mapper', { 'included.client.audience': 'api' });
    expect(config.clients?.[0]).toMatchObject({ audience: 'api' });
  });

  it.each([
    ['of an unknown kind', 'own-mapper', {}, 'mappers of the kind "own-mapper" are not known'],
    [
      'with a value of a different type',
      'oidc-usermodel-attribute-mapper',
      { 'user.attribute': 'tags', 'claim.name': 't', 'jsonType.label': 'int' },
      'not of the type int',
    ],
    [
      'that would replace the roles',
      'oidc-group-membership-mapper',
      { 'claim.name': 'roles' },
      'is in access tokens alone',
    ],
    [
      'of a claim of the protocol',
      'oidc-usermodel-attribute-mapper',
      { 'user.attribute': 'level', 'claim.name': 'sub' },
      '`access_token_claims.sub` left out',
    ],
    [
      'named __proto__',
      'oidc-usermodel-attribute-mapper',
      { 'user.attribute': 'level', 'claim.name': '__proto__.x' },
      'no usable name',
    ],
  ])('%s is told', (_, kind, config, said) => {
    expect(mapped(kind, config).notes.join('\n')).toContain(said);
  });

  it('of one client tells that all clients have the claim', () => {
    const protocolMappers = [
      {
        protocolMapper: 'oidc-usermodel-attribute-mapper',
        config: { ...shown, 'user.attribute': 'level', 'claim.name': 'level' },
      },
    ];
    const { notes } = read({
      users: [alice],
      clients: [
        { clientId: 'app', secret: 's', redirectUris, protocolMappers },
        { clientId: 'other', secret: 's', redirectUris },
      ],
    });
    expect(notes).toContain(
      'clients["app"].protocolMappers[0]: `level` is in the access tokens of all clients; in the realm only app has it',
    );
  });
});

describe('a hostile realm export', () => {
  const wrong: readonly unknown[] = [null, 'text', [{}]];

  /** Each value of the tree replaced, one at a time. */
  function* spoilt(value: unknown, by: unknown): Generator<unknown> {
    yield by;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      for (const each of spoilt(inner, by))
        yield Array.isArray(value) ? value.with(Number(name), each) : { ...value, [name]: each };
  }

  it.each(wrong.map(by => [JSON.stringify(by), by]))(
    'with %s in place of any value is read or refused',
    async (_, by) => {
      let last: SandboxConfig | undefined;
      let count = 0;
      for (const value of spoilt(realmExport({ users: 1 }), by)) {
        if (formatOf(value) !== undefined) last = importRealm(value).config;
        count += 1;
        if (last !== undefined && count % 100 === 0) await loadConfig({ overrides: last });
      }
      expect(count).toBeGreaterThan(500);
    },
  );

  it('with members named __proto__ changes no prototype, and is printed without them', () => {
    const text =
      '{"realm":"shop","__proto__":{"x":1},"users":[{"username":"a","attributes":{"__proto__":["b"]},"__proto__":{"y":1}}]}';
    expect(importText(text)).not.toContain('__proto__');
    expect({}).not.toHaveProperty('x');
  });

  it('whose roles would become too many values is refused', () => {
    const realm = Array.from({ length: 2000 }, (_, index) => ({ name: `r${index}` }));
    const all = { name: 'all', composites: { realm: realm.map(({ name }) => name) } };
    const users = Array.from({ length: 2000 }, (_, index) => ({ username: `u${index}`, realmRoles: ['all'] }));
    const text = JSON.stringify({ realm: 'shop', roles: { realm: [...realm, all] }, users });
    expect(() => importText(text)).toThrow('the new file would have more than 2 million values');
  });

  it('with quotes, line ends and markup in a text is printed as that text', async () => {
    const odd = 'a\'b"c\\d\n\u2028</script>${x}`';
    const text = importText(JSON.stringify({ realm: 'shop', users: [{ username: 'a', firstName: odd }] }));
    const code = text.replace(/^import.*$/m, '').replace(' satisfies SandboxConfig', '');
    const { default: made } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(made.users[0].claims.given_name).toBe(odd);
  });
});
