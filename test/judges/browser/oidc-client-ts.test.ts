import type { UserManagerSettings } from 'oidc-client-ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';
import type {} from '../support/spa.ts';

let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
/** What the application is configured with; a test may change it before it opens a page. */
let settings: UserManagerSettings;

beforeAll(async () => {
  browser = await openBrowser();
  const script = await bundledApplication('spa');
  app = await openSite(({ url }) =>
    url.pathname === '/app.js'
      ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
      : { body: applicationPage(settings) },
  );
});
beforeEach(async () => {
  const spa: ClientEntry = {
    client_id: 'spa',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${app.origin}/callback`, `${app.elsewhere}/callback`],
    post_logout_redirect_uris: [`${app.origin}/`],
    scope: 'openid profile email products:read products:write',
  };
  const forgetful: ClientEntry = { ...spa, client_id: 'forgetful', grant_types: ['authorization_code'] };
  sandbox = await createSandbox({ clients: [spa, forgetful] });
  settings = {
    authority: sandbox.issuer,
    client_id: 'spa',
    redirect_uri: `${app.origin}/callback`,
    post_logout_redirect_uri: `${app.origin}/`,
    scope: 'openid profile email products:read',
    loadUserInfo: true,
    automaticSilentRenew: false,
  };
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

async function openApplication(origin = app.origin): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await expectStatus(page, 'signed out');
  return page;
}

async function signIn(page: Page, sub = 'alice'): Promise<void> {
  await page.evaluate(() => void window.manager.signinRedirect());
  await page.getByTestId(`login-user-${sub}`).click();
  await expectStatus(page, `signed in as ${sub}`);
}

function accessToken(page: Page): Promise<string> {
  return page.evaluate(async () => (await window.manager.getUser())?.access_token ?? '');
}

interface ApiCall {
  readonly status: number;
  readonly total: string | null;
  readonly challenge: string | null;
  readonly body: unknown;
}

/** From the page's own origin, so that CORS decides what it may see. */
async function callApi(page: Page, path: string, body?: object): Promise<ApiCall> {
  const url = sandbox.url + path;
  return page.evaluate(
    async ({ url, body }) => {
      const user = await window.manager.getUser();
      const headers = { Authorization: `Bearer ${user?.access_token}`, 'Content-Type': 'application/json' };
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(url, { headers, ...sent });
      return {
        status: response.status,
        total: response.headers.get('X-Total-Count'),
        challenge: response.headers.get('WWW-Authenticate'),
        body: await response.json(),
      };
    },
    { url, body },
  );
}

describe('oidc-client-ts on another port', () => {
  it('signs in by redirect, reads the profile and calls the API', async () => {
    const page = await openApplication();
    await signIn(page);
    const user = await page.evaluate(async () => (await window.manager.getUser())?.profile);
    expect(user).toMatchObject({ sub: 'alice', name: 'Alice Archer', email: 'alice@example.com' });
    const products = await callApi(page, '/api/products?size=3');
    expect(products).toMatchObject({ status: 200, total: '25' });
    expect(products.body).toHaveLength(3);
  });

  it('may read why the API refuses it', async () => {
    const page = await openApplication();
    await signIn(page);
    const refused = await callApi(page, '/api/products', { name: 'Tandem', category: 'bikes', price: 1 });
    expect(refused).toMatchObject({ status: 403, body: { status: 403 } });
    expect(refused.challenge).toContain('scope="products:write"');
  });

  it('writes with the scope it asked for', async () => {
    settings = { ...settings, scope: 'openid products:write' };
    const page = await openApplication();
    await signIn(page);
    const created = await callApi(page, '/api/products', { name: 'Tandem', category: 'bikes', price: 1999 });
    expect(created).toMatchObject({ status: 201, body: { name: 'Tandem' } });
  });

  it('gets the answer in the fragment, too', async () => {
    settings = { ...settings, response_mode: 'fragment' };
    await signIn(await openApplication(), 'carol');
  });

  it('gets access_denied if the user refuses', async () => {
    const page = await openApplication();
    await page.evaluate(() => void window.manager.signinRedirect());
    await page.getByTestId('login-deny').click();
    await expectStatus(page, 'failed: the user denied the request on the sign-in page');
  });

  it('renews with the refresh token, which rotates', async () => {
    const page = await openApplication();
    await signIn(page);
    const before = await page.evaluate(async () => (await window.manager.getUser())?.refresh_token);
    const first = await accessToken(page);
    const renewed = await page.evaluate(async () => (await window.manager.signinSilent())?.refresh_token);
    expect(renewed).toEqual(expect.any(String));
    expect(renewed).not.toBe(before);
    expect(await accessToken(page)).not.toBe(first);
    expect(await callApi(page, '/api/products')).toMatchObject({ status: 200 });
    expect(page.frames()).toHaveLength(1);
    expect(sandbox.events.latest('token.requested', 1)[0]).toMatchObject({ grant_type: 'refresh_token' });
  });

  it('renews in an iframe with prompt=none if it has no refresh token', async () => {
    settings = { ...settings, client_id: 'forgetful' };
    const page = await openApplication();
    await signIn(page, 'bob');
    const first = await accessToken(page);
    const sub = await page.evaluate(async () => (await window.manager.signinSilent())?.profile.sub);
    expect(sub).toBe('bob');
    expect(await accessToken(page)).not.toBe(first);
    expect(sandbox.events.latest('authorization.requested', 1)[0]).toMatchObject({ prompt: 'none' });
    expect(sandbox.events.latest('token.requested', 1)[0]).toMatchObject({ grant_type: 'authorization_code' });
  });

  it.each(['spa', 'forgetful'])('renews by itself before the token expires, as %s', async client_id => {
    // so early that the first second of the token's life is the last but one
    settings = {
      ...settings,
      client_id,
      automaticSilentRenew: true,
      accessTokenExpiringNotificationTimeInSeconds: 299,
    };
    const page = await openApplication();
    await signIn(page);
    await page.waitForFunction(() => new Set(window.renewals).size >= 2);
    expect(await page.evaluate(() => window.renewalErrors)).toEqual([]);
  });

  it('gets login_required in the iframe after the session has ended', async () => {
    settings = { ...settings, client_id: 'forgetful' };
    const page = await openApplication();
    await signIn(page);
    await context.clearCookies();
    expect(await silentError(page)).toBe('login_required');
  });

  it('gets login_required in an iframe on a different site, which does not send the cookie', async () => {
    settings = { ...settings, client_id: 'forgetful', redirect_uri: `${app.elsewhere}/callback` };
    const page = await openApplication(app.elsewhere);
    await signIn(page);
    expect(await silentError(page)).toBe('login_required');
  });

  function silentError(page: Page): Promise<string> {
    return page.evaluate(() =>
      window.manager.signinSilent().then(
        () => 'no error',
        (error: { error?: string; message: string }) => error.error ?? error.message,
      ),
    );
  }

  it('signs in through a popup, which closes itself', async () => {
    const page = await openApplication();
    const opened = context.waitForEvent('page');
    const signedIn = page.evaluate(async () => (await window.manager.signinPopup()).profile.sub);
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await popup.getByTestId('login-user-bob').click();
    expect(await signedIn).toBe('bob');
    await closed;
    expect(await callApi(page, '/api/products')).toMatchObject({ status: 200 });
  });

  it('signs out by redirect and comes back signed out; the next login asks', async () => {
    const page = await openApplication();
    await signIn(page);
    await page.evaluate(() => void window.manager.signoutRedirect({ state: 'anything' }));
    await page.waitForURL(url => url.origin === app.origin && url.searchParams.has('state'));
    await expectStatus(page, 'signed out');
    expect(sandbox.events.latest('session.ended', 1)[0]).toMatchObject({ sub: 'alice', client_id: 'spa' });
    await page.evaluate(() => void window.manager.signinRedirect());
    await page.getByTestId('login-user-alice').waitFor();
  });

  it('notices by the check_session_iframe that the user has signed out elsewhere', async () => {
    settings = { ...settings, monitorSession: true, checkSessionIntervalInSeconds: 1 };
    const page = await openApplication();
    await signIn(page);
    expect(await page.evaluate(async () => (await window.manager.getUser())?.session_state)).toMatch(/^[0-9a-f]{64}\./);
    const noticed = page.evaluate(
      () => new Promise<string>(resolve => window.manager.events.addUserSignedOut(() => resolve('signed out'))),
    );
    await expect
      .poll(() => page.frames().map(frame => frame.url()))
      .toContain(`${sandbox.issuer}/connect/check_session`);
    const asked = sandbox.events.count('authorization.requested');
    await page.waitForTimeout(2500);
    expect(sandbox.events.count('authorization.requested')).toBe(asked); // unchanged: nothing to ask for
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${sandbox.url}/connect/logout`);
    await elsewhere.getByTestId('logout-confirm').click();
    expect(await noticed).toBe('signed out');
    expect(sandbox.events.latest('authorization.requested', 1)[0]).toMatchObject({ prompt: 'none' });
  });

  it('does not ask again while the session lasts', async () => {
    const page = await openApplication();
    await signIn(page);
    await page.evaluate(() => window.manager.removeUser());
    await page.evaluate(() => void window.manager.signinRedirect());
    await page.waitForURL(url => url.origin === app.origin);
    await expectStatus(page, 'signed in as alice');
    expect(sandbox.events.latest('login.succeeded', 2)).toHaveLength(1);
  });
});
