import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// A form of ours ends in a redirect to the application, which may go on to another site. Chromium holds
// `form-action` against every hop, so no page with such a form may have it.

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;
let strict: Sandbox;
let context: BrowserContext;
let page: Page;

const shop: ClientEntry = {
  client_id: 'frontend',
  client_name: 'Shop',
  loopback_redirects: true,
  grant_types: ['authorization_code'],
  scope: 'openid profile email products:read',
};

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite(({ url }) =>
    url.pathname === '/callback' && url.hostname === 'localhost'
      ? { status: 302, headers: { Location: `${app.elsewhere}/home${url.search}` } }
      : { body: '<!doctype html><html lang="en"><title>Home</title><h1>Home</h1>' },
  );
  callback = `${app.origin}/callback`;
  [sandbox, strict] = await Promise.all([
    createSandbox({ clients: [shop] }),
    createSandbox({ clients: [shop], loginMode: 'password' }),
  ]);
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([sandbox.stop(), strict.stop(), app.close()]);
});

/** The application has sent the browser on, to what is another site for it. */
async function arrives(): Promise<URLSearchParams> {
  await page.waitForURL(`${app.elsewhere}/home?*`);
  return new URL(page.url()).searchParams;
}

describe('the answer of a login reaches the application and the site behind it', () => {
  it('from a user card', async () => {
    await page.goto(authorizationUrl(sandbox, callback));
    await page.getByTestId('login-user-alice').click();
    expect((await arrives()).get('code')).not.toBe('');
  });

  it('from "Someone else"', async () => {
    await page.goto(authorizationUrl(sandbox, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('zoe');
    await page.getByTestId('login-submit').click();
    expect((await arrives()).has('code')).toBe(true);
  });

  it('from a password', async () => {
    await page.goto(authorizationUrl(strict, callback));
    await page.getByTestId('login-username').fill('alice');
    await page.getByTestId('login-password').fill('anything');
    await page.getByTestId('login-submit').click();
    expect((await arrives()).has('code')).toBe(true);
  });

  it('from the consent page, allowed and denied', async () => {
    await page.goto(authorizationUrl(sandbox, callback, { prompt: 'consent' }));
    await page.getByTestId('login-user-alice').click();
    await page.getByTestId('consent-allow').click();
    expect((await arrives()).has('code')).toBe(true);
    await page.goto(authorizationUrl(sandbox, callback, { prompt: 'consent' }));
    await page.getByTestId('consent-deny').click();
    expect((await arrives()).get('error')).toBe('access_denied');
  });

  it('when it is an error that somebody chose', async () => {
    await page.goto(authorizationUrl(sandbox, callback));
    await page.getByTestId('login-deny').click();
    expect((await arrives()).get('error')).toBe('access_denied');
  });

  it('when the user is signed in already', async () => {
    await page.goto(authorizationUrl(sandbox, callback));
    await page.getByTestId('login-user-alice').click();
    await arrives();
    await page.goto(authorizationUrl(sandbox, callback, { prompt: 'select_account' }));
    await page.getByTestId('login-continue').click();
    expect((await arrives()).has('code')).toBe(true);
  });

  it('as a form that posts itself, and one that is posted by hand', async () => {
    await page.goto(authorizationUrl(sandbox, callback, { response_mode: 'form_post' }));
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(`${app.elsewhere}/home`);
    expect(app.requests.findLast(({ method }) => method === 'POST')?.body).toContain('code=');
    const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await still.goto(authorizationUrl(sandbox, callback, { response_mode: 'form_post' }));
    await still.getByTestId('login-user-alice').click();
    await still.getByRole('button').click();
    await still.waitForURL(`${app.elsewhere}/home`);
    await still.context().close();
  });

  it('from a problem that was mended', async () => {
    const wrong = callback.replace('localhost', 'app.localhost');
    await page.goto(authorizationUrl(sandbox, wrong));
    await page.getByTestId('problem-fix').click();
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(url => url.pathname === '/callback' && url.hostname === 'app.localhost');
  });
});
