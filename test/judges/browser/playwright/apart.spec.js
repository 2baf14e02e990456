import { expect, test } from './app.js';

for (const name of ['Tess of the one test', 'Tess of the other test']) {
  test.describe(name, () => {
    test.use({ issuerConfig: { users: [{ sub: 'tess', claims: { name } }] } });

    test('sees no other', async ({ issuer, sandbox }, testInfo) => {
      testInfo.annotations.push({ type: 'sandbox', description: sandbox.url });
      expect(await issuer.users.list()).toEqual([{ sub: 'tess', claims: { name } }]);
      const { id_token = '' } = await issuer.login({ client: 'app', user: 'tess', as: 'tokens' });
      expect(id_token).not.toBe('');
      expect(await issuer.events.list({ type: 'login.succeeded' })).toMatchObject([{ sub: 'tess' }]);
    });
  });
}

test('has the clients and users of the configuration', async ({ issuer }) => {
  expect((await issuer.clients.list()).map(({ client_id }) => client_id)).toEqual(['app']);
  expect((await issuer.users.list()).map(({ sub }) => sub)).toEqual(['alice', 'bob']);
});
