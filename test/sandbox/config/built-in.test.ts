import { expect, it } from 'vitest';
import builtIn from '../../../clients.config.ts';
import { loadConfig } from '../../support/load-config.ts';

it('has no problems, and loads from a file with the same result', async () => {
  // where settings are from is not what they are
  const { settings: _, derive: _d, table: _t, withoutEffect, ...checked } = await loadConfig({ overrides: builtIn });
  const { settings: __, derive: __d, table: __t, ...plain } = await loadConfig({});
  expect(checked).toEqual(plain);
  expect(await withoutEffect?.()).toEqual([]);
});

it('registers frontend and sensor as in the README', async () => {
  const { clients } = await loadConfig({});
  expect(clients).toMatchObject([
    {
      client_id: 'frontend',
      token_endpoint_auth_methods: ['none'],
      require_pkce: true,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile email offline_access bikes:read products:read products:write',
      loopback_redirects: true,
      access_token_lifetime: 300,
    },
    {
      client_id: 'sensor',
      client_secret: 'sensor-secret',
      token_endpoint_auth_methods: ['client_secret_basic'],
      grant_types: ['client_credentials'],
      scope: 'telemetry:write',
      redirect_uris: [],
      loopback_redirects: false,
      access_token_lifetime: 300,
    },
  ]);
  expect(clients[0]).not.toHaveProperty('client_secret');
});

it('has an admin, a buyer and one whose e-mail is not verified', async () => {
  const { users } = await loadConfig({});
  expect(users).toMatchObject([
    {
      sub: 'alice',
      claims: { email_verified: true, roles: ['admin', 'buyer'] },
      access_token_claims: { roles: ['admin', 'buyer'] },
    },
    { sub: 'bob', claims: { email_verified: true, roles: ['buyer'] } },
    { sub: 'carol', claims: { email_verified: false, roles: [] } },
  ]);
});

it('serves products, bikes and telemetry', async () => {
  const { collections } = await loadConfig({});
  expect(collections).toMatchObject([
    { name: 'products', readScope: 'products:read', writeScope: 'products:write' },
    { name: 'bikes', readScope: 'bikes:read' },
    { name: 'telemetry', writeScope: 'telemetry:write', seed: [] },
  ]);
  expect(collections[1]).not.toHaveProperty('writeScope');
  expect(collections[2]).not.toHaveProperty('readScope');
  expect(collections[0]?.seed.length).toBeGreaterThan(20);
});
