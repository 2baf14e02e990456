import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { scripts } from '../support/matrix.ts';
import { openSite, type Site } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

/** Registered is the application as localhost, and it comes as 127.0.0.1. */
const clientOf = (registered: string): ClientEntry => ({
  client_id: 'frontend',
  redirect_uris: [registered],
  grant_types: ['authorization_code'],
  scope: 'openid profile email products:read',
});

let browser: TestBrowser;
let app: Site;
let registered: string;
let callback: string;
let sandbox: Sandbox;
let context: BrowserContext;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  registered = `${app.origin}/callback`;
  callback = `${app.elsewhere}/callback`;
});
beforeEach(async () => {
  sandbox = await createSandbox({ clients: [clientOf(registered)] });
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

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext(options);
  return context.newPage();
}

const atTheApp = (page: Page) => page.waitForURL(url => url.origin === app.elsewhere);
const codeAt = (page: Page) => new URL(page.url()).searchParams.get('code') ?? '';

describe.each(scripts)('an address that is not registered, with scripts %s', (_, options) => {
  it('is added from the error page, and the login continues to the application', async () => {
    const page = await newPage(options);
    const answer = await page.goto(authorizationUrl(sandbox, callback));
    expect(answer?.status()).toBe(400);
    expect(await page.getByTestId('problem-code').textContent()).toBe('invalid_request');
    expect(await page.locator('.compare mark').allTextContents()).toContain('127.0.0.1');
    await page.getByTestId('problem-fix').click();
    await page.getByTestId('login-user-alice').click();
    await atTheApp(page);
    expect(await redeemCode(sandbox, callback, codeAt(page))).toHaveProperty('id_token');
  });

  it('is added, and a user who is signed in continues, over the other origin', async () => {
    const page = await newPage(options);
    await page.goto(authorizationUrl(sandbox, registered));
    await page.getByTestId('login-user-alice').click();
    await page.waitForURL(`${registered}?*`);
    await page.goto(authorizationUrl(sandbox, callback));
    await page.getByTestId('problem-fix').click();
    await atTheApp(page);
    expect(codeAt(page)).not.toBe('');
  });
});

describe('the dashboard', () => {
  it('counts unseen problems live, and stops counting seen ones', async () => {
    const page = await newPage();
    await page.goto(`${sandbox.url}/dashboard/problems`);
    await page.getByTestId('shell-live').getByText('Live').waitFor();
    await fetch(authorizationUrl(sandbox, callback));
    await page.getByTestId('problem-row').waitFor();
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.getByTestId('problem-row').getByText('×').isVisible()).toBe(true);
    await page.locator('#count-problems.unseen').waitFor();
    await page.getByTestId('problem-row').getByRole('link').first().click();
    await page.getByTestId('problem-title').waitFor();
    expect(await page.locator('#count-problems.unseen').count()).toBe(0);
    expect(await page.title()).not.toMatch(/^\(/);
  });

  it('fixes it from the page of the problem, and continues to the application', async () => {
    const page = await newPage();
    await fetch(authorizationUrl(sandbox, callback));
    await page.goto(`${sandbox.url}/dashboard/problems/latest`);
    await page.getByTestId('problem-fix').click();
    await page.getByTestId('login-user-alice').click();
    await atTheApp(page);
    expect(codeAt(page)).not.toBe('');
  });

  it('shows the change and the lines that keep it, if no request can continue', async () => {
    const page = await newPage();
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token: 'x' });
    const refused = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: form });
    const { error_uri } = (await refused.json()) as { error_uri: string };
    await page.goto(error_uri);
    await page.getByTestId('problem-fix').click();
    await page.getByTestId('problem-done').waitFor();
    expect(await page.locator('#done-lines').textContent()).toContain("'refresh_token'");
    const again = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: form });
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
  });
});
