import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { errorOf, problemsOf, shop, withFile } from './support.ts';

const secret = { client_secret: 's' };
const machine = { client_id: 'm', ...secret, grant_types: ['client_credentials'] };

describe('a client is refused', () => {
  it.each<[string, object, string, RegExp, string?]>([
    ['without a client_id', { redirect_uris: ['https://a.example'] }, 'client_id', /required/],
    ['with a client_id of other characters', { ...shop, client_id: 'ü' }, 'client_id', /visible ASCII/],
    ['with an unknown member', { ...shop, redirect_uri: 'x' }, 'redirect_uri', /a known name/, 'redirect_uris'],
    ['with a member in camel case', { ...shop, clientName: 'x' }, 'clientName', /a known name/, 'client_name'],
    [
      'with an unknown method',
      { ...shop, ...secret, token_endpoint_auth_method: 'client_secret_bsic' },
      'token_endpoint_auth_method',
      /client_secret_basic, client_secret_post, .* or none/,
      'client_secret_basic',
    ],
    [
      'with a method and a list of methods',
      {
        ...shop,
        ...secret,
        token_endpoint_auth_method: 'client_secret_basic',
        token_endpoint_auth_methods: ['client_secret_post'],
      },
      'token_endpoint_auth_method',
      /either/,
    ],
    [
      'with an empty list of methods',
      { ...shop, token_endpoint_auth_methods: [] },
      'token_endpoint_auth_methods',
      /at least one/,
    ],
    [
      'with a method but no secret',
      { ...shop, token_endpoint_auth_method: 'client_secret_post' },
      'client_secret',
      /authenticates with client_secret_post/,
    ],
    [
      'with a secret but the method none',
      { ...shop, ...secret, token_endpoint_auth_method: 'none' },
      'client_secret',
      /no secret/,
    ],
    [
      'with client_credentials and no secret',
      { client_id: 'm', grant_types: ['client_credentials'] },
      'grant_types',
      /no client_credentials without authentication/,
    ],
    [
      'with CIBA and no secret',
      { client_id: 'm', grant_types: ['urn:openid:params:grant-type:ciba'] },
      'grant_types',
      /no urn:openid:params:grant-type:ciba without authentication/,
    ],
    [
      'with client_credentials and the method none among others',
      { ...machine, token_endpoint_auth_methods: ['client_secret_basic', 'none'] },
      'grant_types',
      /no client_credentials without/,
    ],
    [
      'with an unknown grant type',
      { ...shop, grant_types: ['authorisation_code'] },
      'grant_types[0]',
      /authorization_code, client_credentials, refresh_token/,
      'authorization_code',
    ],
    ['with no grant type', { ...shop, grant_types: [] }, 'grant_types', /at least one/],
    [
      'with authorization_code and nowhere to redirect',
      { client_id: 'x' },
      'redirect_uris',
      /loopback_redirects: true/,
    ],
    ['with an unknown response type', { ...shop, response_types: ['tokens'] }, 'response_types[0]', /code/, 'token'],
    [
      'with a response type that no grant serves',
      { ...machine, response_types: ['code'] },
      'response_types',
      /none without/,
    ],
    ['with authorization_code and no response type', { ...shop, response_types: [] }, 'response_types', /code, for/],
    [
      'with a redirect URI that is not absolute',
      { ...shop, redirect_uris: ['/cb'] },
      'redirect_uris[0]',
      /absolute URI/,
    ],
    [
      'with a redirect URI with a fragment',
      { ...shop, redirect_uris: ['https://a.example/#x'] },
      'redirect_uris[0]',
      /without a fragment/,
    ],
    [
      'with a script as redirect URI',
      { ...shop, redirect_uris: ['javascript:alert(1)'] },
      'redirect_uris[0]',
      /not javascript:/,
    ],
    ['with a data URI', { ...shop, redirect_uris: ['DATA:text/html,x'] }, 'redirect_uris[0]', /not data:/],
    ['with a vbscript URI', { ...shop, redirect_uris: ['vbscript:x'] }, 'redirect_uris[0]', /not vbscript:/],
    ['with a file URI', { ...shop, redirect_uris: ['file:///etc/passwd'] }, 'redirect_uris[0]', /not file:/],
    [
      'with a wildcard host',
      { ...shop, redirect_uris: ['https://*.example.com/cb'] },
      'redirect_uris[0]',
      /without wildcards/,
    ],
    [
      'with a user in the redirect URI',
      { ...shop, redirect_uris: ['https://u@a.example/cb'] },
      'redirect_uris[0]',
      /without user name/,
    ],
    [
      'with a redirect URI without a host',
      { ...shop, redirect_uris: ['https:/cb'] },
      'redirect_uris[0]',
      /with a host/,
    ],
    [
      'with a space in the redirect URI',
      { ...shop, redirect_uris: ['https://a.example/a b'] },
      'redirect_uris[0]',
      /percent-encoded/,
    ],
    [
      'with a bad URI after logout',
      { ...shop, post_logout_redirect_uris: ['x'] },
      'post_logout_redirect_uris[0]',
      /absolute URI/,
    ],
    [
      'with one URI instead of a list',
      { ...shop, redirect_uris: 'https://a.example' },
      'redirect_uris',
      /a list of URIs/,
    ],
    ['with a scope of other characters', { ...shop, scope: 'a "b"' }, 'scope', /RFC 6749 §3.3/],
    ['with a list of scopes', { ...shop, scope: ['a'] }, 'scope', /separated by spaces/],
    [
      'with an ID token algorithm but no openid',
      { ...shop, scope: 'email', id_token_signed_response_alg: 'ES256' },
      'id_token_signed_response_alg',
      /openid in the scope/,
    ],
    [
      'with ID token claims but no openid',
      { ...shop, scope: '', id_token_claims: 'all' },
      'id_token_claims',
      /openid in the scope/,
    ],
    [
      'with an HMAC algorithm',
      { ...shop, scope: 'openid', userinfo_signed_response_alg: 'HS256' },
      'userinfo_signed_response_alg',
      /RS256/,
      'RS256',
    ],
    [
      'with ID tokens by HS256 and a short secret',
      { ...shop, scope: 'openid', id_token_signed_response_alg: 'HS256', client_secret: 's'.repeat(31) },
      'client_secret',
      /at least 32 characters/,
    ],
    [
      'with a name that turns the words around it',
      { ...shop, client_name: 'Bank \u202egro' },
      'client_name',
      /direction/,
    ],
    ['with a name of 201 characters', { ...shop, client_name: 'x'.repeat(201) }, 'client_name', /at most 200/],
    [
      'with a subject of more than 1 kB',
      { ...shop, tls_client_auth_subject_dn: `CN=${'x'.repeat(1022)}` },
      'tls_client_auth_subject_dn',
      /at most 1024 characters/,
    ],
    ['with a switch that is text', { ...shop, loopback_redirects: 'yes' }, 'loopback_redirects', /true or false/],
    ['that is public and waives PKCE', { ...shop, require_pkce: false }, 'require_pkce', /must use PKCE/],
    ['with a lifetime of 0', { ...shop, access_token_lifetime: 0 }, 'access_token_lifetime', /1 to 31536000/],
    [
      'with a lifetime of more than a year',
      { ...shop, access_token_lifetime: 31_536_001 },
      'access_token_lifetime',
      /1 to 31536000/,
    ],
    ['with a lifetime in fractions', { ...shop, access_token_lifetime: 1.5 }, 'access_token_lifetime', /1 to 31536000/],
    [
      'with an unknown token format',
      { ...shop, access_token_format: 'jwe' },
      'access_token_format',
      /jwt or opaque/,
      'jwt',
    ],
    ['with an audience that is a number', { ...shop, audience: 3 }, 'audience', /an audience or a list/],
    ['with claims that are a list', { ...shop, access_token_claims: ['a'] }, 'access_token_claims', /an object/],
    [
      'with a claim of the protocol',
      { ...shop, access_token_claims: { jti: 'x' } },
      'access_token_claims.jti',
      /the server sets \w+ itself/,
    ],
  ])('%s', async (_, client, member, expected, nearest) => {
    const problems = await problemsOf(withFile({ clients: [client] }));
    expect(problems.map(({ source }) => source)).toEqual([`clients.config.json: clients[0].${member}`]);
    expect(problems[0]?.expected).toMatch(expected);
    expect(problems[0]?.nearest).toBe(nearest);
  });

  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'scope'])(
    'that sets the claim %s',
    async claim => {
      const problems = await problemsOf(withFile({ clients: [{ ...shop, access_token_claims: { [claim]: 1 } }] }));
      expect(problems).toMatchObject([{ source: `clients.config.json: clients[0].access_token_claims.${claim}` }]);
    },
  );

  it('with every unknown member reported', async () => {
    const problems = await problemsOf(withFile({ clients: [{ ...shop, a1: 1, b2: 2, c3: 3 }] }));
    expect(problems).toHaveLength(3);
  });

  it('with the problems of its shape and its rules at once', async () => {
    const client = { client_id: 'x', scope: 3, client_secret: 's', token_endpoint_auth_method: 'none' };
    const sources = (await problemsOf(withFile({ clients: [client] }))).map(({ source }) => source.split('.').at(-1));
    expect(sources).toEqual(['scope', 'client_secret', 'redirect_uris']);
  });

  it('that is not an object', async () => {
    const problems = await problemsOf(withFile({ clients: [['x'], 'shop', null] }));
    expect(problems.map(({ expected }) => expected)).toEqual(['an object', 'an object', 'an object']);
  });

  it.each([
    ['localhost:3000', /absolute URI such as http:\/\/localhost:3000$/],
    ['localhost:3000/cb', /absolute URI such as http:\/\/localhost:3000\/cb$/],
    ['app.test:5173/cb?x=1', /absolute URI such as http:\/\/app\.test:5173\/cb\?x=1$/],
    ['127.0.0.1:3000/cb', /absolute URI such as http:\/\/127\.0\.0\.1:3000\/cb$/],
    ['htpp://localhost:3000/cb', /of the scheme http or https \(did you mean http\?\)/],
    ['http:localhost:3000/cb', /a URI with a host/],
    ['http://localhost:30000000/cb', /a number as port/],
    ['http://localhost:*/cb', /a number as port/],
  ])('with the redirect URI %s, and the one that was meant is named', async (uri, expected) => {
    for (const member of ['redirect_uris', 'post_logout_redirect_uris']) {
      const problems = await problemsOf(withFile({ clients: [{ ...shop, [member]: [uri] }] }));
      expect(problems).toMatchObject([
        { source: expect.stringContaining(`${member}[0]`), expected: expect.stringMatching(expected) },
      ]);
    }
    const [problem] = await problemsOf({ env: { FRONTEND_REDIRECT_URIS: uri } });
    expect(problem?.expected).toMatch(expected);
  });

  it('with claims that are not JSON', async () => {
    const client = { ...shop, access_token_claims: { when: new Date(0) } } as unknown as typeof shop;
    expect(await problemsOf({ overrides: { clients: [client] } })).toMatchObject([
      { source: 'createSandbox: clients[0].access_token_claims', expected: expect.stringMatching(/only JSON/) },
    ]);
  });
});

describe('a client is accepted', () => {
  it.each([
    ['with plain http on another host', { ...shop, redirect_uris: ['http://dev.example/cb'] }],
    ['with an app scheme', { ...shop, redirect_uris: ['com.example.app:/callback', 'myapp://callback', 'app:cb'] }],
    ['with a query in the redirect URI', { ...shop, redirect_uris: ['https://a.example/cb?x=1'] }],
    ['with loopback redirects alone', { client_id: 'x', loopback_redirects: true }],
    [
      'with several methods',
      { ...shop, ...secret, token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'] },
    ],
    ['with scopes nobody defined', { ...shop, scope: 'a b:read' }],
  ])('%s', async (_, client) => {
    await expect(loadConfig(withFile({ clients: [client] }))).resolves.toBeDefined();
  });

  it('and must use PKCE if one of its methods is `none`', async () => {
    const client = { ...shop, ...secret, token_endpoint_auth_methods: ['client_secret_basic', 'none'] };
    expect((await loadConfig(withFile({ clients: [client] }))).clients[0]?.require_pkce).toBe(true);
  });
});

describe('names', () => {
  it.each([
    [
      'two clients with one client_id',
      { clients: [shop, shop] },
      'clients[1].client_id',
      'a client_id no other client has',
    ],
    [
      'two users with one sub',
      {
        users: [
          { sub: 'a', username: 'x' },
          { sub: 'a', username: 'y' },
        ],
      },
      'users[1].sub',
      'a sub no other user has',
    ],
    [
      'two users with one username',
      { users: [{ sub: 'a' }, { sub: 'b', username: 'a' }] },
      'users[1].username',
      'a username no other user has',
    ],
    [
      'a client and a user of one name',
      { clients: [{ ...shop, client_id: 'alice' }] },
      'clients[0].client_id',
      'a client_id that is not the sub of a user (RFC 9068 §5)',
    ],
  ])('are refused for %s', async (_, file, path, expected) => {
    expect(await problemsOf(withFile(file))).toMatchObject([{ source: `clients.config.json: ${path}`, expected }]);
  });
});

describe('a user is refused', () => {
  it.each<[string, object, string, RegExp, string?]>([
    ['without a sub', { username: 'x' }, 'sub', /required/],
    ['with a long sub', { sub: 'x'.repeat(256) }, 'sub', /255/],
    ['with a hash that is none', { sub: 'x', password_hash: 'x' }, 'password_hash', /PHC format/],
    [
      'with a password and a hash',
      { sub: 'x', password: 'x', password_hash: '$pbkdf2-sha256$i=1000$c2FsdA$aGFzaGhhc2g' },
      'password_hash',
      /not both/,
    ],
    ['with an empty password', { sub: 'x', password: '' }, 'password', /not empty/],
    ['with a claim beside claims', { sub: 'x', email: 'x@example.com' }, 'email', /a known name/, 'claims.email'],
    ['with claims that are text', { sub: 'x', claims: 'admin' }, 'claims', /an object/],
    ['with a sub among its claims', { sub: 'x', claims: { sub: 'y' } }, 'claims.sub', /the server sets \w+ itself/],
    [
      'with a protocol claim for access tokens',
      { sub: 'x', access_token_claims: { scope: 'y' } },
      'access_token_claims.scope',
      /the server sets \w+ itself/,
    ],
  ])('%s', async (_, user, member, expected, nearest) => {
    const problems = await problemsOf(withFile({ users: [user] }));
    expect(problems.map(({ source }) => source)).toEqual([`clients.config.json: users[0].${member}`]);
    expect(problems[0]?.expected).toMatch(expected);
    expect(problems[0]?.nearest).toBe(nearest);
  });
});

describe('a scope is refused', () => {
  it.each<[string, object, string, RegExp]>([
    ['with a name of other characters', { ü: 'x' }, 'scopes["ü"]', /RFC 6749/],
    ['with an empty description', { a: '' }, 'scopes.a', /not empty/],
    ['with claims that are no list', { a: { claims: 'email' } }, 'scopes.a.claims', /a list of claim names/],
    [
      'with a protocol claim',
      { a: { access_token_claims: { exp: 1 } } },
      'scopes.a.access_token_claims.exp',
      /the server sets \w+ itself/,
    ],
    ['with an unknown member', { a: { claim: ['x'] } }, 'scopes.a.claim', /a known name/],
    ['that is a number', { a: 3 }, 'scopes.a', /an object/],
  ])('%s', async (_, scopes, path, expected) => {
    const problems = await problemsOf(withFile({ scopes }));
    expect(problems.map(({ source }) => source)).toEqual([`clients.config.json: ${path}`]);
    expect(problems[0]?.expected).toMatch(expected);
  });
});

describe('a collection is refused', () => {
  const fields = { name: 'string', size: { type: 'integer', required: false } };
  it.each<[string, object, string, RegExp, string?]>([
    ['without any scope', { cars: { fields } }, 'cars.readScope', /readScope, writeScope or both/],
    ['with two words as scope', { cars: { readScope: 'a b', fields } }, 'cars.readScope', /one scope/],
    ['without fields', { cars: { readScope: 'a' } }, 'cars.fields', /required/],
    ['with no field', { cars: { readScope: 'a', fields: {} } }, 'cars.fields', /at least one/],
    ['with a bad name', { 'My cars': { readScope: 'a', fields } }, '["My cars"]', /small letters/],
    [
      'with the field id',
      { cars: { readScope: 'a', fields: { id: 'integer' } } },
      'cars.fields.id',
      /already has an integer id/,
    ],
    [
      'with a bad field name',
      { cars: { readScope: 'a', fields: { 'a-b': 'string' } } },
      'cars.fields["a-b"]',
      /letters, digits/,
    ],
    [
      'with an unknown type',
      { cars: { readScope: 'a', fields: { a: 'text' } } },
      'cars.fields.a',
      /string, number, integer or boolean/,
    ],
    [
      'with an unknown type in the long form',
      { cars: { readScope: 'a', fields: { a: { type: 'nmber' } } } },
      'cars.fields.a.type',
      /string, number/,
      'number',
    ],
    [
      'with a row that misses a field',
      { cars: { readScope: 'a', fields, seed: [{}] } },
      'cars.seed[0].name',
      /required/,
    ],
    [
      'with a value of another type',
      { cars: { readScope: 'a', fields, seed: [{ name: 1 }] } },
      'cars.seed[0].name',
      /the type string/,
    ],
    [
      'with a fraction for an integer',
      { cars: { readScope: 'a', fields, seed: [{ name: 'a', size: 1.5 }] } },
      'cars.seed[0].size',
      /the type integer/,
    ],
    [
      'with a field too many in a row',
      { cars: { readScope: 'a', fields, seed: [{ name: 'a', nme: 'b' }] } },
      'cars.seed[0].nme',
      /a field of the collection/,
      'name',
    ],
    ['with a row that is no object', { cars: { readScope: 'a', fields, seed: ['x'] } }, 'cars.seed[0]', /an object/],
    [
      'with one id twice',
      {
        cars: {
          readScope: 'a',
          fields,
          seed: [
            { id: 2, name: 'a' },
            { id: 2, name: 'b' },
          ],
        },
      },
      'cars.seed[1].id',
      /no other row has/,
    ],
    [
      'with an id of 0',
      { cars: { readScope: 'a', fields, seed: [{ id: 0, name: 'a' }] } },
      'cars.seed[0].id',
      /positive integer/,
    ],
  ])('%s', async (_, collections, path, expected, nearest) => {
    const problems = await problemsOf(withFile({ collections }));
    const separator = path.startsWith('[') ? '' : '.';
    expect(problems.map(({ source }) => source)).toEqual([`clients.config.json: collections${separator}${path}`]);
    expect(problems[0]?.expected).toMatch(expected);
    expect(problems[0]?.nearest).toBe(nearest);
  });
});

it.each(['clients', 'users', 'scopes', 'collections'])('%s of another shape are refused', async member => {
  const error = await errorOf(withFile({ [member]: 'x' }));
  expect(error.problems).toMatchObject([{ source: `clients.config.json: ${member}`, value: '"x"' }]);
});
