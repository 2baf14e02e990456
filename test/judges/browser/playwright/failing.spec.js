import { expect, test } from './app.js';

test('fails after two refusals', async ({ page, issuer }) => {
  for (const client_id of ['nobody', 'somebody'])
    await page.goto(`${issuer.issuer}/oauth2/authorize?client_id=${client_id}&response_type=code`);
  await expect(page.locator('h1')).toHaveText('Welcome', { timeout: 100 });
});

test('fails without a refusal', ({ issuer }) => {
  expect(issuer.issuer).toBe('another');
});

test.describe('without a dashboard', () => {
  test.use({ issuerConfig: { dashboard: false } });
  test('fails without a session to look at', ({ issuer }) => {
    expect(issuer.issuer).toBe('another');
  });
});
