import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../support/load-config.ts';
import { problemsOf, shop } from '../support.ts';

const users = [{ sub: 'u1', username: 'Dora', claims: { email: 'dora@example.com' } }];

describe('AUTO_LOGIN', () => {
  it.each(['alice', 'ALICE', 'carol@example.com', 'hint'])('takes %s', async autoLogin => {
    expect(await loadConfig({ env: { AUTO_LOGIN: autoLogin } })).toMatchObject({
      autoLogin,
      autoLoginPrompt: 'silent',
    });
  });

  it.each(['u1', 'dora', 'Dora@Example.com'])('takes %s where that is a user', async autoLogin => {
    expect((await loadConfig({ overrides: { users, autoLogin } })).autoLogin).toBe(autoLogin);
  });

  it('is nobody by default', async () => {
    expect(await loadConfig({})).not.toHaveProperty('autoLogin');
  });

  it.each([
    [{ env: { AUTO_LOGIN: 'alcie' } }, 'environment AUTO_LOGIN', 'alice'],
    [{ flags: { 'auto-login': 'hnit' } }, 'flag --auto-login', 'hint'],
    [{ env: { AUTO_LOGIN: 'alice' }, overrides: { users } }, 'environment AUTO_LOGIN', undefined],
  ])('must be a user, or nobody could sign in at all: %j', async (sources, source, nearest) => {
    expect(await problemsOf(sources)).toEqual([
      {
        source,
        value: expect.stringContaining('"'),
        expected: 'sub, username or e-mail address of a user, or hint',
        ...(nearest === undefined ? {} : { nearest }),
      },
    ]);
  });

  it('can be another for each issuer, of its own users', async () => {
    const tenant = { users, autoLogin: 'dora' };
    const { issuers } = await loadConfig({ overrides: { autoLogin: 'alice', issuers: { tenant } } });
    expect(issuers[0]?.config.autoLogin).toBe('dora');
  });
});

describe('auto_login of a client', () => {
  it('is a user', async () => {
    const { clients } = await loadConfig({ overrides: { clients: [{ ...shop, auto_login: 'bob' }] } });
    expect(clients[0]?.auto_login).toBe('bob');
  });

  it('is a problem if the user does not exist', async () => {
    expect(await problemsOf({ overrides: { clients: [{ ...shop, auto_login: 'bbo' }] } })).toMatchObject([
      { source: expect.stringContaining('clients[0].auto_login'), value: '"bbo"', nearest: 'bob' },
    ]);
  });
});
