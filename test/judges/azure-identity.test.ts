import { ClientSecretCredential, OnBehalfOfCredential } from '@azure/identity';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { tenant, tenantConfig } from '../support/entra.ts';

// The unmodified @azure/identity, which trusts the CA of the sandbox by its own option.
let sandbox: Sandbox;
beforeAll(async () => {
  const clients = [...(tenantConfig.clients ?? [])];
  clients.push({
    client_id: 'bikes',
    client_secret: 'bikes-secret',
    audience: 'api://bikes',
    grant_types: ['client_credentials'],
    scope: 'openid profile offline_access',
  });
  sandbox = await createSandbox({ ...tenantConfig, clients, tls: 'self-signed' });
});
afterAll(() => sandbox.stop());

const options = () => ({
  authorityHost: sandbox.url,
  disableInstanceDiscovery: true,
  tlsOptions: { ca: sandbox.tls?.ca ?? '' },
  retryOptions: { maxRetries: 0 },
});

it('gets a token for an application, and reads the error for a wrong secret', async () => {
  const credential = new ClientSecretCredential(tenant, 'web', 'web-secret', options());
  const begun = Math.floor(Date.now() / 1000);
  const { token, expiresOnTimestamp } = await credential.getToken('api://bikes/.default');
  const ended = Math.ceil(Date.now() / 1000);
  expect(decodeJwt(token)).toMatchObject({ aud: 'api://bikes', azp: 'web', roles: ['Bikes.Read.All'] });
  const { iat = 0, exp = 0 } = decodeJwt(token);
  // the client adds expires_in to the time by its own clock, at some time of the call
  const addedTo = expiresOnTimestamp / 1000 - (exp - iat);
  expect(addedTo).toBeGreaterThanOrEqual(begun);
  expect(addedTo).toBeLessThanOrEqual(ended);
  const wrong = new ClientSecretCredential(tenant, 'web', 'wrong', options());
  await expect(wrong.getToken('api://bikes/.default')).rejects.toThrow('AADSTS7000215');
});

it('acts on behalf of a user', async () => {
  const given = { client: 'spa', user: 'alice', scope: 'openid api://bikes/read' };
  const { token: userAssertionToken } = await sandbox.issueToken({ ...given, audience: 'api://bikes' });
  const api = { tenantId: tenant, clientId: 'bikes', clientSecret: 'bikes-secret', userAssertionToken };
  const credential = new OnBehalfOfCredential({ ...api, ...options() });
  const { token } = await credential.getToken('https://graph.microsoft.com/User.Read');
  expect(decodeJwt(token)).toMatchObject({ oid: decodeJwt(userAssertionToken).oid, appid: 'bikes' });
  expect(decodeJwt(token).scp).toContain('User.Read');
});
