import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { get } from '../../support/wire.ts';

const sandbox = await createSandbox({ signingAlg: 'ES256' });
afterAll(() => sandbox.stop());

type Told = Readonly<Record<'error' | 'error_description' | 'error_uri', string>>;

const paths: Readonly<Record<string, readonly string[]>> = {
  '/oauth2/token': [
    ...['/token', '/oauth/token', '/v1/token', '/connect/token', '/oauth2/v1/token', '/oauth2/default/v1/token'],
    ...['/realms/demo/protocol/openid-connect/token', '/common/oauth2/v2.0/token', '/oauth2/token/', '/OAuth2/Token'],
  ],
  '/oauth2/authorize': ['/authorize', '/oauth/authorize', '/connect/authorize', '/protocol/openid-connect/auth'],
  '/oauth2/jwks': ['/.well-known/jwks.json', '/jwks', '/jwks.json', '/certs', '/oauth2/v1/keys', '/oauth2/certs'],
  '/userinfo': ['/oauth2/userinfo', '/connect/userinfo', '/v1/userinfo', '/protocol/openid-connect/userinfo'],
  '/oauth2/introspect': ['/introspect', '/connect/introspect', '/protocol/openid-connect/token/introspect'],
  '/oauth2/revoke': ['/revoke', '/oauth/revoke', '/connect/revocation'],
  '/connect/logout': ['/v2/logout', '/oidc/logout', '/connect/endsession', '/oauth2/v1/logout'],
  '/connect/register': ['/register', '/oidc/register', '/clients-registrations/openid-connect'],
  '/oauth2/par': ['/par', '/protocol/openid-connect/ext/par/request'],
  '/oauth2/device_authorization': [
    '/device_authorization',
    '/oauth/device/code',
    '/protocol/openid-connect/auth/device',
  ],
  '/oauth2/bc-authorize': ['/bc-authorize', '/protocol/openid-connect/ext/ciba/auth'],
  '/.well-known/openid-configuration': ['/realms/demo/.well-known/openid-configuration'],
};

describe.each(Object.entries(paths))('an address that others have for %s', (own, habits) => {
  it.each(habits)('%s is answered in JSON, and names it', async path => {
    for (const method of ['GET', 'POST']) {
      const response = await fetch(sandbox.url + path, { method, redirect: 'manual' });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        expect.stringMatching(/^application\/json/),
      ]);
      const told = (await response.json()) as Told;
      expect(told.error).toBe('invalid_request');
      expect(told.error_description).toMatch(
        new RegExp(
          `^there is nothing at this path; this sandbox has its .* at ${sandbox.issuer}${own}(; with PRESET=\\w+ it answers at such paths)?$`,
        ),
      );
    }
  });
});

it('names the endpoint of the issuer that was asked', async () => {
  const { issuer } = await sandbox.createIssuer();
  const told = (await (await get(`${issuer}/oauth/token`)).json()) as Told;
  expect(told.error_description).toContain(`${issuer}/oauth2/token`);
});

it.each([
  ['/x/.well-known/openid-configuration', '{base}/.well-known/openid-configuration'],
  ['/.well-known/openid-configuration/x', '/.well-known/openid-configuration{base}'],
  ['/x/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server{base}'],
  ['/.well-known/oauth-authorization-server/x', '/.well-known/oauth-authorization-server{base}'],
  ['/x/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource{base}'],
])('names for %s the address in the form of its specification', async (sent, meant) => {
  const { issuer } = await sandbox.createIssuer();
  for (const [origin, base] of [
    [sandbox.url, ''],
    [issuer, new URL(issuer).pathname],
  ] as const) {
    if (base !== '' && sent.startsWith('/.well-known')) continue; // the address is one of the first issuer
    const told = (await (await get(origin + sent)).json()) as Told;
    const address = sandbox.url + meant.replace('{base}', base);
    expect(`${told.error_description} `).toContain(` at ${address} `);
    expect((await get(address)).status).toBe(200);
  }
});

it('shows a browser a page, with the right address', async () => {
  const response = await get(`${sandbox.url}/oauth/token`, { accept: 'text/html' });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringMatching(/^text\/html/)]);
  expect(await response.text()).toContain(`${sandbox.issuer}/oauth2/token`);
});

it('is a problem whose fix has the right address', async () => {
  const told = (await (await get(`${sandbox.url}/oauth2/v1/keys`)).json()) as Told;
  const page = await (await get(told.error_uri)).text();
  expect(page).toContain(`${sandbox.issuer}/oauth2/jwks`);
  expect(page).toContain('Use the address of this sandbox.');
});

it('lets the page of a client read what went wrong', async () => {
  const response = await get(`${sandbox.url}/oauth/token`, { origin: 'http://localhost:5173' });
  expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
});

it('names the logout endpoint in the answer to GET /logout', async () => {
  const response = await get(`${sandbox.url}/logout`);
  expect(response.status).toBe(405);
  expect(((await response.json()) as Told).error_description).toContain(`at ${sandbox.issuer}/connect/logout`);
});

it.each(['/nothing', '/tokens.html', '/'.repeat(3000), '/token/of/mine'])(
  'says nothing of an endpoint at %s',
  async path => {
    const response = await get(sandbox.url + path);
    expect(((await response.json()) as Told).error_description ?? '').not.toContain('this sandbox has its');
  },
);

it('names no endpoint that is switched off', async () => {
  await using small = await createSandbox({ signingAlg: 'ES256', features: { registration: false } });
  const response = await get(`${small.url}/register`);
  expect(((await response.json()) as Told).error_description).toBe('there is nothing at this path');
});
