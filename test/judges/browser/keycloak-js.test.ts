import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { companyRealm } from '../../support/keycloak-exports.ts';
import { newFile } from '../../support/new-folder.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';
import type { KeycloakApplication } from '../support/keycloak-spa.ts';

// The unmodified keycloak-js against the preset, as an application uses it.
let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
let settings: KeycloakApplication;

beforeAll(async () => {
  browser = await openBrowser();
  const script = await bundledApplication('keycloak-spa');
  app = await openSite(({ url }) => {
    if (url.pathname === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    if (url.pathname === '/silent-check-sso.html') return { body: silentPage };
    return { body: applicationPage(settings) };
  });
});
beforeEach(async () => {
  sandbox = await createSandbox({
    preset: 'keycloak',
    clients: [
      {
        client_id: 'spa',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${app.origin}/`, `${app.origin}/silent-check-sso.html`],
        post_logout_redirect_uris: [`${app.origin}/`],
      },
    ],
    users: [
      {
        sub: 'alice',
        claims: {
          name: 'Alice Archer',
          given_name: 'Alice',
          family_name: 'Archer',
          preferred_username: 'alice',
          email: 'alice@example.com',
          email_verified: true,
          roles: ['admin'],
          client_roles: { spa: ['editor'], shop: ['buyer'] },
        },
      },
    ],
  });
  const url = sandbox.issuer.replace(/\/realms\/.*/, '');
  settings = { config: { url, realm: 'demo', clientId: 'spa' }, init: { onLoad: 'login-required' } };
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  await sandbox.stop();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const silentPage = '<!doctype html><script>parent.postMessage(location.href, location.origin)</script>';

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.origin}/`);
  return page;
}

async function logIn(): Promise<Page> {
  const page = await open();
  await page.getByRole('button', { name: /Alice/ }).click();
  await expectStatus(page, 'logged in');
  return page;
}

it('logs in with the default settings, which test cookies and watch the session in an iframe', async () => {
  const page = await logIn();

  expect(await page.evaluate(() => window.keycloak.tokenParsed)).toMatchObject({
    iss: sandbox.issuer,
    typ: 'Bearer',
    azp: 'spa',
    aud: ['shop', 'account'],
    preferred_username: 'alice',
    'allowed-origins': [app.origin],
    realm_access: { roles: ['default-roles-demo', 'offline_access', 'uma_authorization', 'admin'] },
    resource_access: { spa: { roles: ['editor'] }, shop: { roles: ['buyer'] }, account: { roles: expect.any(Array) } },
    scope: 'openid profile email',
  });
  expect(
    await page.evaluate(() => [window.keycloak.hasRealmRole('admin'), window.keycloak.hasResourceRole('editor')]),
  ).toEqual([true, true]);
  expect(await page.evaluate(() => window.keycloak.idTokenParsed)).toMatchObject({
    typ: 'ID',
    email: 'alice@example.com',
  });
  expect(await page.evaluate(() => window.keycloak.refreshTokenParsed)).toMatchObject({ typ: 'Refresh', azp: 'spa' });
  expect(await page.evaluate(() => window.keycloak.sessionId)).toBe(
    await page.evaluate(() => window.keycloak.idTokenParsed?.sid),
  );
});

it('loads the profile and UserInfo of the user', async () => {
  const page = await logIn();

  expect(await page.evaluate(() => window.keycloak.loadUserProfile())).toMatchObject({
    id: 'alice',
    username: 'alice',
    firstName: 'Alice',
    lastName: 'Archer',
    email: 'alice@example.com',
    emailVerified: true,
  });
  expect(await page.evaluate(() => window.keycloak.loadUserInfo())).toMatchObject({
    sub: 'alice',
    preferred_username: 'alice',
  });
});

it('refreshes its tokens with a refresh token that it can read', async () => {
  const page = await logIn();
  const before = await page.evaluate(() => window.keycloak.token);

  expect(await page.evaluate(() => window.keycloak.updateToken(-1))).toBe(true);
  expect(await page.evaluate(() => window.keycloak.token)).not.toBe(before);
});

it('notices in its iframe that the session ended elsewhere, and asks for a login again', async () => {
  const page = await logIn();
  await sandbox.reset('sessions');

  await page.evaluate(() => void window.keycloak.updateToken(-1).catch(() => {}));
  await page.getByRole('button', { name: /Alice/ }).click();
  await expectStatus(page, 'logged in');
});

it('logs in without a page where a session exists, and says so where none exists', async () => {
  settings = {
    ...settings,
    init: { onLoad: 'check-sso', silentCheckSsoRedirectUri: `${app.origin}/silent-check-sso.html` },
  };
  const first = await open();
  await expectStatus(first, 'logged out');
  settings = { ...settings, init: { onLoad: 'login-required' } };
  await logIn();
  settings = {
    ...settings,
    init: { onLoad: 'check-sso', silentCheckSsoRedirectUri: `${app.origin}/silent-check-sso.html` },
  };
  await expectStatus(await open(), 'logged in');
});

it('logs out by GET and by POST, and returns to the application', async () => {
  const page = await logIn();
  settings = { ...settings, init: { onLoad: 'check-sso' } };
  await page.evaluate(origin => void window.keycloak.logout({ redirectUri: origin }), `${app.origin}/`);
  await page.waitForURL(`${app.origin}/**`);
  await expectStatus(page, 'logged out');

  settings = { ...settings, init: { onLoad: 'login-required' } };
  const again = await logIn();
  settings = { ...settings, init: { onLoad: 'check-sso' } };
  await again.evaluate(
    origin => void window.keycloak.logout({ redirectUri: origin, logoutMethod: 'POST' }),
    `${app.origin}/`,
  );
  await again.waitForURL(`${app.origin}/**`);
  await expectStatus(again, 'logged out');
});

it('sees the claims that the mappers of an imported realm say', async () => {
  const realm = newFile('company.json', companyRealm(app.origin));
  await using imported = await createSandbox({ import: realm, loginMode: 'password' });
  const url = imported.issuer.replace(/\/realms\/.*/, '');
  settings = { config: { url, realm: 'company', clientId: 'portal' }, init: { onLoad: 'login-required' } };
  const page = await open();
  await page.locator('#username').fill('person0');
  await page.locator('#password').fill('password0');
  await page.locator('#kc-login').click();
  await expectStatus(page, 'logged in');

  const mapped = {
    badges: ['0', '1000'],
    site: 'Hamburg',
    'upn.mail': 'person0@example.com',
    name: 'First0 Last0',
    teams: ['/company/engineering/platform'],
    authorities: [
      ...['ROLE_default-roles-company', 'ROLE_offline_access', 'ROLE_uma_authorization'],
      ...['ROLE_lead', 'ROLE_employee', 'ROLE_reviewer'],
    ],
    backend: ['write', 'read'],
    address: { street_address: 'Main Street 0', locality: 'Berlin' },
  };
  const [token, idToken] = await page.evaluate(() => [window.keycloak.tokenParsed, window.keycloak.idTokenParsed]);
  expect(token).toMatchObject({
    ...mapped,
    tenant: { ids: [1, 2] },
    aud: ['https://api.company.example', 'backend', 'account'],
    realm_access: { roles: expect.arrayContaining(['lead', 'employee', 'reviewer']) },
    resource_access: { backend: { roles: ['write', 'read'] } },
  });
  expect(idToken).toMatchObject({ ...mapped, tenant: { ids: [1, 2] } });
});
