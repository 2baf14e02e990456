import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { problemsOf, shop, withFile } from './support.ts';

const rule = {
  client: 'shop',
  for: 'accessToken',
  when: ['user.email', '!claims.email'],
  claims: { email: '${user.email}' },
};
const clients = [{ ...shop, scope: 'openid orders:read', audience: 'orders' }];

describe('onToken', () => {
  it('is a function, and of another issuer that of the first unless it has its own', async () => {
    const [first, own] = [() => ({ a: 1 }), () => ({ b: 1 })];
    const issuers = { '/a': {}, '/b': { onToken: own } };
    const config = await loadConfig({ overrides: { onToken: first, issuers } });
    expect([config, ...config.issuers.map(each => each.config)].map(each => each.onToken)).toEqual([first, first, own]);
  });

  it('is refused where it is something else', async () => {
    const problems = await problemsOf(withFile({ onToken: 'return {}' }));
    expect(problems).toMatchObject([
      {
        ...{ source: 'clients.config.json: onToken', value: '"return {}"' },
        expected: expect.stringContaining('a function or { auth0Action: onExecutePostLogin }, which only a file in'),
      },
    ]);
  });
});

describe('tokenClaims', () => {
  it('are rules in their order', async () => {
    const tokenClaims = [rule, { scope: ['openid', 'orders:read'], audience: ['orders', 'shop'], claims: { a: 1 } }];
    expect((await loadConfig(withFile({ clients, tokenClaims }))).tokenClaims).toEqual(tokenClaims);
  });

  it('of another issuer are those of the first, unless it has its own', async () => {
    const issuers = { '/a': {}, '/b': { tokenClaims: [] } };
    const config = await loadConfig(withFile({ clients, tokenClaims: [rule], issuers }));
    expect(config.issuers.map(({ config: { tokenClaims } }) => tokenClaims.length)).toEqual([1, 0]);
  });

  it('may use the templates for lists and objects, and claims with dots in their name', async () => {
    const claims = {
      list: ['${...user.roles}', 'all'],
      byClient: { '...': { $each: 'user.client_roles', $as: { roles: '${value}', of: '${key}' } } },
      'https://shop.example/roles': '${user[https://shop.example/roles]}',
      text: '${user.given_name} ${user.family_name}',
      price: '$5 {each}',
    };
    expect((await loadConfig(withFile({ clients, tokenClaims: [{ claims }] }))).tokenClaims).toEqual([{ claims }]);
  });

  it.each<[string, object, string, string, string?]>([
    [
      'an unknown first name',
      { claims: { email: '${usr.email}' } },
      '.claims.email',
      'a path that begins with user',
      'user',
    ],
    [
      'an unknown first name deep inside',
      { claims: { a: { b: ['${x.y}'] } } },
      '.claims.a.b[0]',
      'a path that begins with',
    ],
    ['a placeholder without an end', { claims: { a: '${user.email' } }, '.claims.a', 'the form ${user.email}'],
    ['an empty placeholder', { claims: { a: 'x ${}' } }, '.claims.a', 'the form ${user.email}'],
    ['a path with a gap', { claims: { a: '${user..email}' } }, '.claims.a', 'a path such as user.email'],
    ['a spread outside of a list', { claims: { a: '${...user.roles}' } }, '.claims.a', 'an item of a list'],
    ['a template without a value', { claims: { a: { $each: 'user.x' } } }, '.claims.a.$as', 'a template'],
    ['a wrong $map', { claims: { a: { $map: 'value.x', $as: 1 } } }, '.claims.a.$map', 'a path that begins'],
    [
      'a wrong name in $map',
      { claims: { a: { $map: 'user.x', $as: '${key}' } } },
      '.claims.a.$as',
      'a path that begins',
    ],
    ['a wrong $each', { claims: { a: { $each: 'usr.x', $as: 1 } } }, '.claims.a.$each', 'a path that begins', 'user'],
    ['a claim of the protocol', { claims: { exp: 1 } }, '.claims.exp', 'a different name: the server sets exp itself'],
    ['a confirmation', { claims: { cnf: {} } }, '.claims.cnf', 'the server sets cnf itself'],
    ['an unknown condition', { when: 'usr.email', claims: {} }, '.when', 'a path that begins with', 'user'],
    ['an unknown condition of several', { when: ['user.email', '!x'], claims: {} }, '.when[1]', 'a path that begins'],
    ['an unknown path that is compared', { when: 'usr.plan=gold', claims: {} }, '.when', 'a path that begins', 'user'],
    [
      'a comparison of another language',
      { when: 'user.plan != gold', claims: {} },
      '.when',
      'a path such as user.email',
    ],
    ['a broken expression', { when: 'request.tenant~(', claims: {} }, '.when', 'a regular expression after the ~'],
    ['a placeholder as condition', { when: '${user.email}', claims: {} }, '.when', 'a path such as user.email'],
    ['an unknown client', { client: 'shpo', claims: {} }, '.client', 'the client_id of a client', 'shop'],
    [
      'an unknown client of a list',
      { client: ['shop', 'other'], claims: {} },
      '.client[1]',
      'the client_id of a client',
    ],
    ['an unknown scope', { scope: 'orders:reed', claims: {} }, '.scope', 'a scope that a client', 'orders:read'],
    ['an unknown audience', { audience: 'order', claims: {} }, '.audience', 'the audience of a client', 'orders'],
    ['an unknown grant', { grant: 'code', claims: {} }, '.grant', 'authorization_code'],
    ['an unknown token', { for: 'refreshToken', claims: {} }, '.for', 'one of accessToken, idToken, userinfo'],
    ['no claims', { client: 'shop' }, '.claims', 'a value'],
    ['an unknown member', { clients: 'shop', claims: {} }, '.clients', 'a known name', 'client'],
    ['a text', 'x' as unknown as object, '', 'an object'],
  ])('are refused at the start for %s, with the place', async (_what, invalid, path, expected, nearest) => {
    const problems = await problemsOf(withFile({ clients, tokenClaims: [rule, invalid] }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({
      source: `clients.config.json: tokenClaims[1]${path}`,
      expected: expect.stringContaining(expected),
      ...(nearest !== undefined && { nearest }),
    });
  });

  it('list all mistakes at once, in YAML with line and column', async () => {
    const content =
      'tokenClaims:\n  - claims:\n      email: ${usr.email}\n      iss: me\n  - scope: none\n    claims: {}\n';
    const problems = await problemsOf({ cwd: newFolder({ 'clients.config.yaml': content }) });
    expect(problems.map(({ source }) => source)).toEqual([
      'clients.config.yaml:4:7: tokenClaims[0].claims.iss',
      'clients.config.yaml:3:7: tokenClaims[0].claims.email',
      'clients.config.yaml:5:5: tokenClaims[1].scope',
    ]);
  });

  it('are a list', async () => {
    const problems = await problemsOf(withFile({ tokenClaims: { a: 1 } }));
    expect(problems).toMatchObject([{ source: 'clients.config.json: tokenClaims', expected: 'a list of tokenClaims' }]);
  });

  it('may name an audience that is a URI, and a client that is identified by the address of its metadata', async () => {
    const tokenClaims = [{ audience: 'https://api.example/orders', client: 'https://app.example/client', claims: {} }];
    expect((await loadConfig(withFile({ tokenClaims }))).tokenClaims).toEqual(tokenClaims);
  });
});
