import { as, expect, test } from './shop.ts';

test('signs in with clicks, with PKCE', async ({ page, issuer }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('consent-allow').click();

  await expect(page.getByText('Signed in as Alice Archer')).toBeVisible();
  await expect(page.getByRole('listitem')).toHaveCount(25);

  // what the server saw
  const asked = await issuer.events.waitFor({ type: 'authorization.requested' });
  expect(asked).toMatchObject({ client_id: 'shop', code_challenge_method: 'S256' });
  const [shop] = (await issuer.report({ client: 'shop' })).clients;
  expect(shop?.checks.find(({ id }) => id === 'pkce_s256')).toMatchObject({ verdict: 'pass' });
  expect(shop?.summary.fail).toBe(0);
});

test('is signed in without a click', async ({ page, signIn }) => {
  await signIn(as('bob'));
  await page.goto('/');
  await expect(page.getByText('Signed in as Bob Brewer')).toBeVisible();
  await expect(page.getByRole('status')).toHaveText('25 products');
});

test('goes through the redirects without a click', async ({ page, issuer }) => {
  await issuer.nextLogin({ sub: 'carol', action: 'approve' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Signed in as Carol Núñez')).toBeVisible();
});

test('says so when the user clicks Deny', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('consent-deny').click();
  await expect(page.getByRole('status')).toHaveText(/^You did not allow it/);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('says so when consent is refused, without a click', async ({ page, issuer }) => {
  await issuer.nextLogin({ sub: 'alice', action: 'deny' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('status')).toHaveText(/^You did not allow it/);
});

test('signs out, and stays signed out', async ({ page, issuer, signIn }) => {
  await signIn(as('alice'));
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status')).toHaveText('Sign in to see the products.');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await issuer.events.list({ type: 'session.ended' })).toMatchObject([{ sub: 'alice' }]);
});
