import { decodeJwt } from 'jose';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { createTlsFetch } from '../../support/tls-fetch.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';
import type { MsalApplication } from '../support/msal-spa.ts';

// The unmodified @azure/msal-browser against the preset, as an application uses it.
let browser: TestBrowser;
/** With https it is one site with the sandbox, so that an iframe in it sends the cookies of the sandbox. */
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
let settings: MsalApplication;

beforeAll(async () => {
  browser = await openBrowser();
  const scripts = {
    '/app.js': await bundledApplication('msal-spa'),
    '/redirect.js': await bundledApplication('msal-redirect'),
  };
  const { server: certificate } = await createSelfSigned([], new Date());
  app = await openSite(({ url: { pathname } }) => {
    const script = Object.entries(scripts).find(([path]) => path === pathname)?.[1];
    if (script !== undefined) return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    return { body: applicationPage(settings, pathname === '/redirect' ? '/redirect.js' : '/app.js') };
  }, certificate);
  sandbox = await createSandbox({
    preset: 'entra',
    tls: 'self-signed',
    accessTokenLifetime: 3600, // the SDK renews tokens in their last five minutes
    clients: [
      {
        client_id: 'spa',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${app.origin}/redirect`],
        post_logout_redirect_uris: [`${app.origin}/`],
        scope: 'openid profile email offline_access User.Read api://bikes/read api://bikes/write',
      },
      { client_id: 'web', client_secret: 'web-secret', redirect_uris: [`${app.origin}/redirect`] },
    ],
    users: [
      { sub: 'alice', claims: { name: 'Alice Archer', email: 'alice@example.com', groups: ['/acme/engineering'] } },
    ],
  });
});
beforeEach(async () => {
  const { host } = new URL(sandbox.url);
  settings = {
    config: {
      auth: {
        clientId: 'spa',
        authority: sandbox.issuer,
        knownAuthorities: [host],
        redirectUri: `${app.origin}/redirect`,
        postLogoutRedirectUri: `${app.origin}/`,
      },
    },
  };
  context = await browser.newContext({ ignoreHTTPSErrors: true });
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
  return page;
}

async function logIn(scopes: readonly string[] = ['User.Read']): Promise<Page> {
  const page = await open();
  await expectStatus(page, 'logged out');
  await page.evaluate(asked => void window.msal.loginRedirect({ scopes: [...asked] }), scopes);
  await page.getByRole('button', { name: /Alice/ }).click();
  await page.waitForURL(`${app.origin}/`);
  await expectStatus(page, 'logged in');
  return page;
}

const silently = (page: Page, scopes: readonly string[], forceRefresh = false) =>
  page.evaluate(
    ([asked, isForced]) => window.tell(window.msal.acquireTokenSilent({ scopes: [...asked], forceRefresh: isForced })),
    [scopes, forceRefresh] as const,
  );

/** Ends a token early, as the dashboard does. */
async function expire(tokenId: string): Promise<void> {
  const url = `${sandbox.issuer}/_sandbox/tokens/${tokenId}/expire`;
  const { status } = await createTlsFetch({ ca: sandbox.tls?.ca ?? '' })(url, { method: 'POST' });
  expect(status).toBe(200);
}

it('logs in by redirect, and names the account by object id and tenant', async () => {
  const page = await logIn();

  const account = await page.evaluate(() => window.msal.getActiveAccount());
  const { oid, tid } = account?.idTokenClaims ?? {};
  expect(account).toMatchObject({
    homeAccountId: `${oid}.${tid}`,
    username: 'alice@sandbox.onmicrosoft.com',
    name: 'Alice Archer',
    tenantId: tid,
    idTokenClaims: { ver: '2.0', iss: `${sandbox.issuer}/v2.0`, groups: [expect.any(String), expect.any(String)] },
  });
});

it('gets tokens of the cache, by refresh token, and for a second API', async () => {
  const page = await logIn(['api://bikes/read']);

  const cached = await silently(page, ['api://bikes/read']);
  expect(cached).toMatchObject({ fromCache: true, scopes: expect.arrayContaining(['api://bikes/read']) });
  const renewed = await silently(page, ['api://bikes/read'], true);
  expect(renewed).toMatchObject({ fromCache: false });
  expect(decodeJwt(renewed.token ?? '')).toMatchObject({ aud: 'api://bikes', scp: 'read', azp: 'spa' });
  expect(await silently(page, ['User.Read'])).toMatchObject({ asksUser: true, subError: 'consent_required' });
  const second = await page.evaluate(() => window.tell(window.msal.ssoSilent({ scopes: ['User.Read'] })));
  expect(decodeJwt(second.token ?? '')).toMatchObject({ ver: '1.0', scp: expect.stringContaining('User.Read') });
});

it('logs in without a page in an iframe, and asks the user where there is no session', async () => {
  const first = await open();
  await expectStatus(first, 'logged out');
  const none = await first.evaluate(() => window.tell(window.msal.ssoSilent({ scopes: ['User.Read'] })));
  expect(none).toMatchObject({ error: 'login_required', asksUser: true });
  expect(none.message).toMatch(/AADSTS50058/);
  await logIn();
  const other = await context.newPage();
  await other.goto(`${app.origin}/`);
  const again = await other.evaluate(() => window.tell(window.msal.ssoSilent({ scopes: ['api://bikes/read'] })));
  expect(decodeJwt(again.token ?? '')).toMatchObject({ aud: 'api://bikes' });
});

it('renews in an iframe when the refresh token has ended', async () => {
  const page = await logIn();
  for (const { tokenId, tokenType } of sandbox.events.latest('token.issued', 10)) {
    if (tokenType === 'refresh') await expire(tokenId);
  }

  expect(await silently(page, ['User.Read'], true)).toMatchObject({ fromCache: false, token: expect.any(String) });
});

it('logs out with nothing but its address, and returns to the application', async () => {
  const page = await logIn();
  await page.evaluate(() => void window.msal.logoutRedirect());
  await page.waitForURL(`${app.origin}/`);
  await expectStatus(page, 'logged out');

  const none = await page.evaluate(() => window.tell(window.msal.ssoSilent({ scopes: ['User.Read'] })));
  expect(none).toMatchObject({ error: 'login_required' });
});

it('reads the errors of the platform: an unknown scope, and a redirect URI that is not for pages', async () => {
  const page = await logIn();
  const unknown = await silently(page, ['Mail.Send']);
  expect(unknown).toMatchObject({ asksUser: true, subError: 'consent_required' });

  settings = { config: { auth: { ...settings.config.auth, clientId: 'web' } } };
  const web = await open();
  await expectStatus(web, 'logged out');
  const refused = await web.evaluate(() => window.tell(window.msal.ssoSilent({ scopes: ['openid'] })));
  expect(refused.message).toMatch(
    /AADSTS9002326: Cross-origin token redemption .* Request origin: 'https:\/\/localhost/,
  );
});
