import { expect } from 'vitest';
import { test } from './test.ts';

test('our API behaves well as a client', async ({ issuer, api }) => {
  const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
  await api('POST', '/bookings', access_token, { product: 1 });

  const { verdict, clients } = await issuer.report({ client: 'bookings' });
  expect(verdict).toBe('pass');
  const passed = clients[0]?.checks.filter(check => check.verdict === 'pass').map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(['client_authentication', 'no_secret_in_url']));
});
