import type { Auth0ClientOptions } from '@auth0/auth0-spa-js';
import { decodeJwt } from 'jose';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';

// The unmodified auth0-spa-js against the preset, as an application uses it.
let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
let settings: Auth0ClientOptions;

const api = 'https://api.example';

beforeAll(async () => {
  browser = await openBrowser();
  const script = await bundledApplication('auth0-spa');
  app = await openSite(({ url }) => {
    if (url.pathname === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    return { body: applicationPage(settings) };
  });
  sandbox = await createSandbox({
    preset: 'auth0',
    clients: [
      {
        client_id: 'spa',
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile email offline_access read:bikes',
        audience: [api],
        redirect_uris: [app.origin],
        post_logout_redirect_uris: [app.origin],
        refresh_token_lifetime: 3600,
      },
    ],
    users: [
      {
        sub: 'alice',
        claims: {
          name: 'Alice Archer',
          email: 'alice@example.com',
          email_verified: true,
          organizations: [{ id: 'org_acme', name: 'acme' }],
        },
      },
    ],
  });
});
beforeEach(async () => {
  settings = {
    domain: sandbox.issuer,
    clientId: 'spa',
    authorizationParams: { redirect_uri: app.origin, audience: api },
  };
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await sandbox.stop();
});

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.origin}/`);
  await expectStatus(page, 'ready');
  return page;
}

async function logIn(params: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await open();
  await page.evaluate(authorizationParams => void window.auth0.loginWithRedirect({ authorizationParams }), params);
  await page.getByRole('button', { name: /Alice/ }).click();
  await expectStatus(page, 'logged in');
  return page;
}

/** The code of the error with which a call of the SDK ends, and its text. */
const failure = (page: Page, call: string) =>
  page.evaluate(async source => {
    const failing = new Function(`return ${source}`) as () => Promise<unknown>;
    return failing().then(
      () => 'no error',
      (error: { error?: string; message?: string }) => `${error.error}: ${error.message}`,
    );
  }, call);

it('logs in, and reads the ID token and the user', async () => {
  const page = await logIn();
  expect(await page.evaluate(() => window.auth0.getUser())).toEqual({
    sub: 'auth0|alice',
    name: 'Alice Archer',
    nickname: 'alice',
    email: 'alice@example.com',
    email_verified: true,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  const token = await page.evaluate(() => window.auth0.getTokenSilently());
  expect(decodeJwt(String(token))).toMatchObject({
    iss: `${sandbox.issuer}/`,
    aud: [api, `${sandbox.issuer}/userinfo`],
    azp: 'spa',
    scope: 'openid profile email',
  });
});

it('gets tokens in an iframe while the browser has a session, and login_required where it has none', async () => {
  const page = await logIn();
  const before = await page.evaluate(() => window.auth0.getTokenSilently());
  const after = await page.evaluate(() => window.auth0.getTokenSilently({ cacheMode: 'off' }));
  expect(after).not.toBe(before);
  expect(decodeJwt(String(after)).sub).toBe('auth0|alice');

  await sandbox.reset('sessions');
  expect(await failure(page, "window.auth0.getTokenSilently({ cacheMode: 'off' })")).toBe(
    'login_required: Login required',
  );
});

it('restores the login of a page that was loaded again', async () => {
  await logIn();
  const again = await open();
  expect(await again.evaluate(() => window.auth0.checkSession().then(() => window.auth0.isAuthenticated()))).toBe(true);
});

it('logs in through a popup, which closes itself', async () => {
  const page = await open();
  const opened = page.waitForEvent('popup');
  const done = page.evaluate(() => window.auth0.loginWithPopup().then(() => window.auth0.getUser()));
  const popup = await opened;
  await popup.getByRole('button', { name: /Alice/ }).click();
  expect(await done).toMatchObject({ sub: 'auth0|alice' });
  await expect.poll(() => popup.isClosed()).toBe(true);
});

it('reports a denial in a popup', async () => {
  const page = await open();
  const opened = page.waitForEvent('popup');
  const done = failure(page, 'window.auth0.loginWithPopup()');
  await (await opened).getByTestId('login-deny').click();
  expect(await done).toMatch(/^access_denied: /);
});

it.each([true, false])('refreshes with rotation, with forms: %s', async useFormData => {
  settings = { ...settings, useRefreshTokens: true, useFormData };
  const page = await logIn();
  const [before, after] = await page.evaluate(async () => [
    await window.auth0.getTokenSilently(),
    await window.auth0.getTokenSilently({ cacheMode: 'off' }),
  ]);
  expect(after).not.toBe(before);
  expect(await page.evaluate(() => window.auth0.getTokenSilently({ cacheMode: 'off' }))).not.toBe(after);
});

it('falls back to the iframe after a refresh token that is not valid, by the text of the error', async () => {
  settings = { ...settings, useRefreshTokens: true, useRefreshTokensFallback: true };
  const page = await logIn();
  sandbox.clock.advance('90m');
  const token = await page.evaluate(() => window.auth0.getTokenSilently({ cacheMode: 'off' }));
  expect(decodeJwt(String(token)).sub).toBe('auth0|alice');
  await sandbox.reset('clock');
});

it('sends bodies as JSON, and proves a key by DPoP', async () => {
  settings = { ...settings, useFormData: false, useDpop: true };
  const page = await logIn();
  const token = await page.evaluate(() => window.auth0.getTokenSilently());
  expect(decodeJwt(String(token))).toMatchObject({ cnf: { jkt: expect.any(String) } });
});

it('logs in to an organization, and refuses one that the user does not belong to', async () => {
  const page = await logIn({ organization: 'org_acme' });
  expect(await page.evaluate(() => window.auth0.getUser())).toMatchObject({ org_id: 'org_acme', org_name: 'acme' });

  const other = await open();
  await other.evaluate(
    () => void window.auth0.loginWithRedirect({ authorizationParams: { organization: 'elsewhere' } }),
  );
  await expectStatus(other, /^failed: .*no user belongs to an organization/);
});

it('reports an API that nobody has registered', async () => {
  const page = await open();
  await page.evaluate(
    () => void window.auth0.loginWithRedirect({ authorizationParams: { audience: 'https://unknown.example' } }),
  );
  await expectStatus(page, /^failed: Error: Service not found: https:\/\/unknown\.example/);
});

it('logs out, back to the application', async () => {
  const page = await logIn();
  await page.evaluate(() => void window.auth0.logout({ logoutParams: { returnTo: location.origin } }));
  await page.waitForURL(`${app.origin}/`);
  await expectStatus(page, 'ready');
  expect(await failure(page, "window.auth0.getTokenSilently({ cacheMode: 'off' })")).toMatch(/^login_required/);
});

it('lets only the application frame the page that posts the answer', async () => {
  const query = new URLSearchParams({
    client_id: 'spa',
    redirect_uri: app.origin,
    response_type: 'code',
    response_mode: 'web_message',
    prompt: 'none',
    state: '</script><script>alert(1)</script>',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const response = await fetch(`${sandbox.issuer}/authorize?${query}`, { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors ${app.origin}`);
  expect(response.headers.get('x-frame-options')).toBeNull();
  expect(await response.text()).not.toContain('<script>alert');
});
