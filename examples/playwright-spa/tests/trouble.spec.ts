import { as, expect, test } from './shop.ts';

test.beforeEach(async ({ page, signIn }) => {
  await signIn(as('alice'));
  await page.goto('/');
  await expect(page.getByRole('listitem')).toHaveCount(25);
});

test('renews an access token that has expired, and nobody notices', async ({ page, issuer }) => {
  await issuer.clock.advance(3600);
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveCount(25);
  expect(await issuer.events.list({ type: 'token.requested' })).toMatchObject([
    { grant_type: 'authorization_code' },
    { grant_type: 'refresh_token' },
  ]);
});

test('asks to sign in again when the refresh token has expired, too', async ({ page, issuer }) => {
  await issuer.clock.advance(2 * 24 * 3600);
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Sign in again.');

  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('consent-allow').click();
  await expect(page.getByRole('listitem')).toHaveCount(25);
});

test('asks to sign in again when the renewal is refused', async ({ page, issuer }) => {
  await issuer.faults.arm({ fault: 'api_unauthorized' });
  await issuer.faults.arm({ fault: 'token_error', error: 'invalid_grant' });
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Sign in again.');
});

test('tries again when the shop has no time', async ({ page, issuer }) => {
  await issuer.faults.arm({ fault: 'unavailable', endpoint: 'api', seconds: 3 });
  await page.reload({ waitUntil: 'commit' });
  await expect(page.getByRole('status')).toHaveText('The shop is busy, trying again…');
  await expect(page.getByRole('listitem')).toHaveCount(25);
});

test('gives up when the shop has no time for long', async ({ page, issuer }) => {
  await issuer.faults.arm({ fault: 'unavailable', endpoint: 'api', times: 'always' });
  await page.reload();
  await expect(page.getByRole('status')).toHaveText('The shop answered 503.');
});

test('survives new keys, even when the old ones are gone at once', async ({ page, issuer }) => {
  await issuer.rotateKeys({ unpublish: true });
  await page.reload();
  await expect(page.getByRole('listitem')).toHaveCount(25);
  const refused = await issuer.events.list({ type: 'error.returned' });
  expect(refused).toMatchObject([{ endpoint: 'api', error: 'invalid_token' }]);
});
