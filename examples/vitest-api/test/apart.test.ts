import { describe, expect } from 'vitest';
import { test } from './test.ts';

// Two tests at once that contradict each other: the issuer of each knows another `web`, and another ana.
describe.concurrent('each test has an issuer of its own', () => {
  test('here ana may read, and nobody else is there', async ({ issuer, api }) => {
    await issuer.clients.patch('web', { scope: 'openid bookings:read' });
    await issuer.users.delete('ben');
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    expect((await api('GET', '/bookings', access_token)).status).toBe(200);
    await expect(issuer.login({ client: 'web', user: 'ben' })).rejects.toThrow('ben');
  });

  test('here she may write only, and ben is there', async ({ issuer, api }) => {
    await issuer.clients.patch('web', { scope: 'openid bookings:write' });
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    expect((await api('GET', '/bookings', access_token)).status).toBe(403);
    expect(await issuer.login({ client: 'web', user: 'ben' })).toHaveProperty('code');
  });
});

describe('a file, or a part of one, may have users of its own', () => {
  test.override('issuerConfig', { users: [{ sub: 'anneke' }] });

  test('and what it does not say is as with the sandbox', async ({ issuer }) => {
    expect(await issuer.users.list()).toMatchObject([{ sub: 'anneke' }]);
    expect(await issuer.clients.get('sensor')).toMatchObject({ client_name: 'Demo sensor' });
  });
});
