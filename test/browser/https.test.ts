import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl, codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site } from '../support/site.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext | undefined;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  sandbox = await createSandbox({ tls: 'self-signed' });
});
afterEach(async () => {
  await context?.close();
  context = undefined;
  app.requests.length = 0;
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
  await app.close();
});

/** Chromium has no way to be given a CA for one run; that the CA is right is tested where one can be given. */
async function open(url: string): Promise<Page> {
  context ??= await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

async function answerAt(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(url => url.origin === app.origin);
  return new URL(page.url()).searchParams;
}

describe('a browser over HTTPS', () => {
  it('logs in, is remembered by Secure cookies, and is silent the second time', async () => {
    const callback = `${app.origin}/callback`;
    const page = await open(authorizationUrl(sandbox, callback));
    await page.getByTestId('login-user-alice').click();
    const answer = await answerAt(page);
    expect(answer.get('iss')).toBe(sandbox.issuer);

    const cookies = (await context?.cookies(sandbox.url)) ?? [];
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ secure: true, sameSite: 'None', path: '/' });
      expect(cookie.name).toMatch(/^__Host-grantbox_/);
    }

    const redeem = await createTlsFetch({ ca: sandbox.tls?.ca ?? '' })(`${sandbox.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: callback },
        ...{ code: answer.get('code') ?? '', code_verifier: codeVerifier },
      }),
    });
    expect(redeem.status).toBe(200);

    const silent = await open(authorizationUrl(sandbox, callback, { prompt: 'none' }));
    expect((await answerAt(silent)).has('code')).toBe(true);
  });

  it('shows the dashboard, whose own calls are same-origin', async () => {
    const page = await open(`${sandbox.url}/dashboard`);
    await page.getByTestId('home-demo').click();
    await page.waitForURL(/\/dashboard\/tokens\/tok_/);
    expect(new URL(page.url()).origin).toBe(sandbox.url);
  });
});
