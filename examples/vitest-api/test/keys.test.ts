import { expect } from 'vitest';
import { test } from './test.ts';

test('tokens of new keys are good at once, and those of the old ones stay good', async ({ issuer, api }) => {
  const before = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
  expect((await api('GET', '/bookings', before.access_token)).status).toBe(200);

  await issuer.rotateKeys();
  const after = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
  expect((await api('GET', '/bookings', after.access_token)).status).toBe(200);
  expect((await api('GET', '/bookings', before.access_token)).status).toBe(200);
});

test('tokens of a key that has leaked are refused once the keys were read again', async ({ issuer, api }) => {
  const before = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
  expect((await api('GET', '/bookings', before.access_token)).status).toBe(200);

  await issuer.rotateKeys({ unpublish: true });
  const after = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
  // a key that it does not know makes jose read the JWK Set again
  expect((await api('GET', '/bookings', after.access_token)).status).toBe(200);
  const response = await api('GET', '/bookings', before.access_token);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
});
