import { decodeJwt } from 'jose';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { scripts } from '../support/matrix.ts';
import { openSite, type Site } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

const frontend = (logo_uri: string): ClientEntry => ({
  client_id: 'frontend',
  client_name: 'Bike shop',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://localhost:3000/callback'],
  scope: 'openid profile email products:read products:write',
  loopback_redirects: true,
  require_consent: true,
  client_uri: 'https://shop.example/',
  policy_uri: 'https://shop.example/privacy',
  tos_uri: 'https://shop.example/terms',
  logo_uri,
});

const logo = {
  headers: { 'Content-Type': 'image/svg+xml' },
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="4"/></svg>',
};

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;
let context: BrowserContext | undefined;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite(({ url }) => (url.pathname === '/logo.svg' ? logo : {}));
  callback = `${app.origin}/callback`;
});
beforeEach(async () => {
  sandbox = await createSandbox({ clients: [frontend(`${app.origin}/logo.svg`)] });
});
afterEach(async () => {
  await context?.close();
  await sandbox.stop();
  app.requests.length = 0;
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function openConsent(
  parameters: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<Page> {
  context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(authorizationUrl(sandbox, callback, parameters));
  await page.getByTestId('login-user-alice').click();
  await page.getByTestId('consent-allow').waitFor();
  return page;
}

async function answerAt(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(url => url.origin === app.origin);
  return Object.fromEntries(new URL(page.url()).searchParams);
}

async function scopeOf(page: Page): Promise<unknown> {
  const { access_token } = await redeemCode(sandbox, callback, (await answerAt(page)).code ?? '');
  return decodeJwt(access_token).scope;
}

describe.each(scripts)('the consent screen, with scripts %s', (_name, options) => {
  it('allows everything with one click', async () => {
    const page = await openConsent({}, options);
    await page.getByTestId('consent-allow').click();
    expect(await scopeOf(page)).toBe('openid profile email products:read');
    expect(sandbox.events.latest('consent.granted', 1)).toMatchObject([
      { sub: 'alice', withheld: [], remembered: false },
    ]);
  });

  it('removes unticked scopes', async () => {
    const page = await openConsent({}, options);
    await page.getByTestId('consent-scope-email').uncheck();
    await page.getByTestId('consent-scope-products:read').uncheck();
    await page.getByTestId('consent-allow').click();
    expect(await scopeOf(page)).toBe('openid profile');
  });

  it('denies, and the application gets access_denied', async () => {
    const page = await openConsent({}, options);
    await page.getByTestId('consent-deny').click();
    expect(await answerAt(page)).toMatchObject({ error: 'access_denied', state: 'the-state', iss: sandbox.issuer });
    expect(sandbox.events.latest('consent.denied', 1)).toMatchObject([{ sub: 'alice', client_id: 'frontend' }]);
  });
});

describe('the consent screen', () => {
  it('asks again the next time, where nothing was remembered', async () => {
    const page = await openConsent();
    await page.getByTestId('consent-allow').click();
    await answerAt(page);
    await page.goto(authorizationUrl(sandbox, callback));
    expect(await page.getByTestId('consent-allow').isVisible()).toBe(true);
  });

  it('remembers for this browser, across logins, and asks for new scopes only', async () => {
    const page = await openConsent();
    await page.getByLabel('Remember for this browser').check();
    await page.getByTestId('consent-allow').click();
    await answerAt(page);
    await page.goto(authorizationUrl(sandbox, callback, { prompt: 'login' }));
    await page.getByTestId('login-user-alice').click();
    expect(await answerAt(page)).toHaveProperty('code');
    await page.goto(authorizationUrl(sandbox, callback, { scope: 'openid products:write' }));
    expect(await page.getByTestId('consent-scope-products:write').isChecked()).toBe(true);
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(authorizationUrl(sandbox, callback));
    await stranger.getByTestId('login-user-alice').click();
    expect(await stranger.getByTestId('consent-allow').isVisible()).toBe(true);
    await stranger.context().close();
  });

  it('keeps openid, because the answer is an OpenID Connect answer', async () => {
    const page = await openConsent();
    expect(await page.getByTestId('consent-scope-openid').isDisabled()).toBe(true);
    expect(await page.getByTestId('consent-scope-openid').isChecked()).toBe(true);
  });

  it('explains each scope, and shows the claims that will be sent', async () => {
    const page = await openConsent();
    const email = page.getByRole('checkbox', { name: 'See your e-mail address email' });
    expect(await email.isChecked()).toBe(true);
    const note = await email.getAttribute('aria-describedby');
    const sent = await page.locator(`#${note} dd`).allTextContents();
    expect(sent).toEqual(['alice@example.com', 'true']);
  });

  it('shows authorization details as a person can read them, each to be unticked', async () => {
    const details = [
      { type: 'payment_initiation', instructedAmount: { currency: 'EUR', amount: '99.00' }, creditorName: 'Shop' },
      { type: 'payment_initiation', instructedAmount: { currency: 'EUR', amount: '1.00' }, creditorName: 'Tip' },
    ];
    const page = await openConsent({ authorization_details: JSON.stringify(details) });
    const first = await page.locator('.grant-note dl', { hasText: 'instructedAmount' }).first().innerText();
    expect(first.replaceAll('\n', ' ')).toContain('instructedAmount.amount 99.00');
    await page.getByTestId('consent-detail-1').uncheck();
    await page.getByTestId('consent-allow').click();
    const { access_token } = await redeemCode(sandbox, callback, (await answerAt(page)).code ?? '');
    expect(decodeJwt(access_token).authorization_details).toEqual([details[0]]);
  });

  it('shows single claims, each to be unticked', async () => {
    const page = await openConsent({ scope: 'openid', claims: '{"userinfo":{"phone_number":null,"birthdate":null}}' });
    await page.getByTestId('consent-claim-birthdate').uncheck();
    await page.getByTestId('consent-allow').click();
    const { access_token } = await redeemCode(sandbox, callback, (await answerAt(page)).code ?? '');
    const userinfo = await fetch(`${sandbox.url}/userinfo`, { headers: { Authorization: `Bearer ${access_token}` } });
    const claims = await userinfo.json();
    expect(claims).toHaveProperty('phone_number');
    expect(claims).not.toHaveProperty('birthdate');
  });

  it('links the pages of the application', async () => {
    const page = await openConsent();
    const links = await page
      .getByRole('list', { name: 'About the app' })
      .getByRole('link')
      .evaluateAll(found => found.map(link => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')]));
    expect(links).toEqual([
      ['Home page', 'https://shop.example/', 'noreferrer'],
      ['Privacy policy', 'https://shop.example/privacy', 'noreferrer'],
      ['Terms of service', 'https://shop.example/terms', 'noreferrer'],
      ['Logo', `${app.origin}/logo.svg`, 'noreferrer'],
    ]);
    expect(await page.getByTestId('consent-target').textContent()).toBe(new URL(callback).host);
  });

  it('shows the logo of the application, which is not told the page, and loads nothing else from it', async () => {
    const page = await openConsent();
    await page.waitForLoadState();
    const image = page.locator('img');
    expect(await image.evaluateAll(all => all.map(each => (each as HTMLImageElement).naturalWidth))).toEqual([8]);
    expect(app.requests.map(({ url, headers }) => [url.pathname, headers.referer])).toEqual([['/logo.svg', undefined]]);
  });

  it('is done with the keyboard', async () => {
    const page = await openConsent();
    await page.getByTestId('consent-scope-profile').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    expect(await scopeOf(page)).toBe('openid email products:read');
  });
});

describe('an application that registered itself', () => {
  async function register(): Promise<string> {
    const response = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'Bank of Trust',
        redirect_uris: [callback],
        token_endpoint_auth_method: 'none',
        scope: 'openid email',
      }),
    });
    const { client_id } = (await response.json()) as { client_id: string };
    return client_id;
  }

  it('is shown with a warning before its first answer, even to a user who is signed in', async () => {
    const first = await openConsent();
    await first.getByTestId('consent-allow').click();
    await answerAt(first);
    const client_id = await register();
    await first.goto(authorizationUrl(sandbox, callback, { client_id, scope: 'openid email' }));
    const warnings = await first.getByTestId('client-warnings').getByRole('listitem').allTextContents();
    expect(warnings).toEqual([
      'This app registered itself. Nobody has checked who runs it or whether the name is its own.',
      'It receives responses only on this computer, so any program that runs here could be the one that asks.',
    ]);
    expect(await first.getByTestId('consent-target').textContent()).toBe(new URL(callback).host);
    await first.getByTestId('consent-allow').click();
    expect(await answerAt(first)).toHaveProperty('code');
  });

  it('is shown on the login screen of its own request, which is enough', async () => {
    const client_id = await register();
    context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(authorizationUrl(sandbox, callback, { client_id, scope: 'openid email' }));
    expect(await page.getByTestId('client-warnings').isVisible()).toBe(true);
    await page.getByTestId('login-user-alice').click();
    expect(await answerAt(page)).toHaveProperty('code');
  });
});
