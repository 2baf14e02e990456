import { as, expect, test } from './shop.ts';

// two users of the same `sub`, at the same time: each test has an issuer of its own
for (const name of ['Tess of the one test', 'Tess of the other test']) {
  test.describe(name, () => {
    test.use({ issuerConfig: { users: [{ sub: 'tess', claims: { name } }] } });

    test('is signed in', async ({ page, issuer, signIn }) => {
      await signIn(as('tess'));
      await page.goto('/');
      await expect(page.getByText(`Signed in as ${name}`)).toBeVisible();
      expect(await issuer.events.list({ type: 'login.succeeded' })).toMatchObject([{ sub: 'tess' }]);
    });
  });
}

test('is created while the test runs', async ({ page, issuer, signIn }) => {
  await issuer.users.create({ sub: 'uma', claims: { name: 'Uma Ude' } });
  await signIn(as('uma'));
  await page.goto('/');
  await expect(page.getByText('Signed in as Uma Ude')).toBeVisible();
});
