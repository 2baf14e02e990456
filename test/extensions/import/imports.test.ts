import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConfigSources } from '../../../src/sandbox/config/load-config.ts';
import { observes } from '../../observed.ts';
import { problemsOf } from '../../sandbox/config/support.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = newFolder();
});

function put(name: string, value: unknown): void {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
}

const app = (clientId: string) => ({ clientId, publicClient: true, redirectUris: ['https://app.example/cb'] });
const realm = (name: string, members: object = {}) => ({
  realm: name,
  clients: [app(`${name}-app`)],
  users: [{ username: `${name}-user` }],
  ...members,
});
const own = { client_id: 'own', redirect_uris: ['https://own.example/cb'], scope: 'openid' };

async function load(sources: ConfigSources = {}) {
  const config = await loadConfig({ cwd, ...sources });
  const idsOf = ({ clients, users }: Pick<typeof config, 'clients' | 'users'>) => [
    clients.map(each => each.client_id),
    users.map(each => each.sub),
  ];
  return { config, first: idsOf(config), others: config.issuers.map(each => [each.path, ...idsOf(each.config)]) };
}

describe('an imported realm', () => {
  it('is the sandbox itself, with the preset, the clients, the users and the settings of the realm', async () => {
    observes('setting import');
    put('shop.json', realm('shop', { accessTokenLifespan: 77 }));
    const { config, first, others } = await load({ flags: { import: 'shop.json' } });
    expect(first).toEqual([['shop-app'], ['shop-user']]);
    expect(others).toEqual([]);
    expect(config).toMatchObject({ preset: { name: 'keycloak', options: { realm: 'shop' } }, accessTokenLifetime: 77 });
    const settings = await config.settings();
    expect(settings.find(({ name }) => name === 'PRESET')).toMatchObject({ from: 'shop.json: preset' });
  });

  it('gives way to flags, variables and the file', async () => {
    put('shop.json', realm('shop', { accessTokenLifespan: 77 }));
    put('clients.config.json', { import: 'shop.json', accessTokenLifetime: 60 });
    expect((await load()).config.accessTokenLifetime).toBe(60);
  });

  it('adds its clients and users to those of the file, of variables and of code', async () => {
    put('shop.json', realm('shop'));
    put('clients.config.json', { import: ['shop.json'], clients: [own] });
    expect((await load()).first).toEqual([['own', 'shop-app'], ['shop-user']]);
    expect((await load({ env: { CLIENTS: JSON.stringify([{ ...own, client_id: 'of-env' }]) } })).first).toEqual([
      ['of-env', 'shop-app'],
      ['shop-user'],
    ]);
    const { first } = await load({ overrides: { users: [{ sub: 'ann' }], import: 'shop.json' } });
    expect(first[1]).toEqual(['ann', 'shop-user']);
  });

  it('is an issuer of its own where there are several, or where the sandbox has a provider', async () => {
    put('all.json', [realm('blue'), realm('green', { users: [] })]);
    const { config, first, others } = await load({
      flags: { import: 'all.json' },
      env: { ISSUER: 'http://localhost/auth' },
    });
    expect(config.preset).toBeUndefined();
    expect(first[1]).toEqual(['alice', 'bob', 'carol']);
    expect(others).toEqual([
      ['/auth/realms/blue', ['blue-app'], ['blue-user']],
      ['/auth/realms/green', ['green-app'], ['alice', 'bob', 'carol']],
    ]);
    put('blue.json', realm('blue'));
    const beside = await load({ flags: { import: 'blue.json', preset: 'keycloak,realm=other' } });
    expect(beside.others).toEqual([['/realms/blue', ['blue-app'], ['blue-user']]]);
  });

  it('of a different provider adds to the sandbox itself, beside a realm, and brings its issuers', async () => {
    put('shop.json', realm('shop'));
    put('users.json', [{ email: 'ann@shop.example' }]);
    put('mock.json', { tokenCallbacks: [{ issuerId: 'blue', requestMappings: [] }] });
    const { config, first, others } = await load({ flags: { import: ['shop.json', 'users.json', 'mock.json'] } });
    expect(config.preset?.options).toEqual({ realm: 'shop' });
    expect(first).toEqual([['shop-app'], ['shop-user', 'auth0|ann@shop.example']]);
    expect(others.map(([path]) => path)).toEqual(['/blue']);
  });

  it('stands beside the issuers of the file', async () => {
    put('all.json', [realm('blue'), realm('green')]);
    put('clients.config.json', { import: 'all.json', issuers: { red: { clients: [own] } } });
    expect((await load()).others.map(([path]) => path)).toEqual(['/red', '/realms/blue', '/realms/green']);
  });

  it('is read from a folder, with the users of all its files', async () => {
    put('dir/shop-realm.json', realm('shop'));
    for (const index of [0, 1, 10, 2])
      put(`dir/shop-users-${index}.json`, { realm: 'shop', users: [{ username: `u${index}` }] });
    put('dir/.hidden.json', 'not JSON');
    put('dir/readme.txt', 'nothing');
    const { first } = await load({ flags: { import: 'dir' } });
    expect(first[1]).toEqual(['shop-user', 'u0', 'u1', 'u2', 'u10']);
  });

  it('has the values of variables, their defaults, and its own placeholders', async () => {
    const client = { ...app('${PREFIX:shop}-app'), publicClient: false, secret: '${env.SHOP_SECRET}' };
    const text = JSON.stringify(
      realm('${REALM}', { clients: [client], users: [{ username: '${NONE,USER_NAME}', email: '${x}' }] }),
    );
    put('shop.json', text.replace('"publicClient":false', '"publicClient":${PUBLIC:false}'));
    const env = { REALM: 'shop', SHOP_SECRET: 'a "quoted" \\ secret', USER_NAME: '${REALM}-user' };
    const { config } = await load({ flags: { import: 'shop.json' }, env });
    expect(config.preset?.options).toEqual({ realm: 'shop' });
    expect(config.clients).toMatchObject([{ client_id: 'shop-app', client_secret: env.SHOP_SECRET }]);
    expect(config.users).toMatchObject([{ sub: 'shop-user', claims: { email: '${x}' } }]);
    expect(config.notes).toMatchObject([
      { file: 'shop.json', notes: [expect.stringContaining('users["shop-user"].email: a placeholder')] },
    ]);
  });

  it('is read again when a file of it changes, or is added', async () => {
    put('dir/shop-realm.json', realm('shop'));
    const { config } = await load({ flags: { import: 'dir' } });
    expect(config.file?.look()).toBe(config.file?.mark);
    put('dir/shop-users-0.json', { realm: 'shop', users: [{ username: 'ann' }] });
    expect(config.file?.look()).not.toBe(config.file?.mark);
    expect((await config.file?.read())?.users.map(({ sub }) => sub)).toEqual(['shop-user', 'ann']);
    utimesSync(join(cwd, 'dir/shop-realm.json'), 1, 1);
    const again = await config.file?.read();
    expect(again?.file?.look()).toBe(again?.file?.mark);
  });
});

describe('problems of imports', () => {
  it('are told all at once, with the name of each file', async () => {
    put('dir/bad.json', '{');
    put('dir/other.json', { clients: 7 });
    put('dir/lost-users-0.json', { realm: 'lost', users: [] });
    put('clients.config.json', { import: ['dir', 'none.json'], port: 'x' });
    const problems = await problemsOf({ cwd });
    expect(problems.map(({ source, expected }) => `${source}: ${expected}`)).toEqual([
      expect.stringMatching(/: import: an export: bad\.json cannot be imported: it is not valid JSON/),
      expect.stringMatching(/: import: an export: lost-users-0\.json has users of a realm that no other file/),
      expect.stringMatching(/: import: an export: other\.json cannot be imported: it is an object of no known kind/),
      expect.stringMatching(/: import: an export: none\.json cannot be read/),
      expect.stringMatching(/: port: a whole number/),
    ]);
  });

  it('name both places of an id that is there twice', async () => {
    put('shop.json', realm('shop', { clients: [app('own')] }));
    put('clients.config.json', { import: 'shop.json', clients: [own], users: [{ sub: 'a' }, { sub: 'shop-user' }] });
    expect(await problemsOf({ cwd })).toMatchObject([
      {
        source: 'shop.json: clients[0].client_id',
        expected: expect.stringMatching(/, as clients\.config\.json: clients\[0\] does$/),
      },
      {
        source: 'shop.json: users[0].sub',
        expected: expect.stringMatching(/, as clients\.config\.json: users\[1\] does$/),
      },
      { source: 'shop.json: users[0].username' },
    ]);
  });

  it('name both files of a realm that is there twice', async () => {
    put('a.json', realm('shop'));
    put('b.json', realm('shop'));
    expect(await problemsOf({ cwd, flags: { import: ['a.json', 'b.json'] } })).toMatchObject([
      { source: 'b.json', expected: 'an issuer that a.json does not have: /realms/shop' },
    ]);
  });

  it('do not hide those of the lists of the file', async () => {
    put('shop.json', realm('shop'));
    put('clients.config.json', { import: 'shop.json', clients: 7 });
    expect(await problemsOf({ cwd })).toMatchObject([{ source: 'clients.config.json: clients', value: '7' }]);
  });

  it('with variables that make a file too large are told before anything is made of it', async () => {
    put('shop.json', realm('shop', { displayName: '${BIG}'.repeat(2000) }));
    const [problem] = await problemsOf({ cwd, flags: { import: 'shop.json' }, env: { BIG: 'x'.repeat(100_000) } });
    expect(problem?.expected).toContain('larger than 64 MB with its variables');
  });
});
