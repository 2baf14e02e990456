import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site } from '../support/site.ts';
import { authorizeQuery, verifier } from '../support/wire.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// A page whose name is not of this machine, in a real browser: what it can read is Chromium's decision.

let browser: TestBrowser;
let app: Site;
let context: BrowserContext;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await app.close();
});

interface Calls {
  readonly issuer: string;
  readonly form: string;
}

/** Everything an application does from its own page: discovery, keys, token endpoint, UserInfo and an API. */
async function callAll(page: Page, calls: Calls): Promise<unknown> {
  return page.evaluate(async ({ issuer, form }) => {
    const read = async (url: string, init?: RequestInit) => (await fetch(url, init)).json();
    const metadata = await read(`${issuer}/.well-known/openid-configuration`);
    const { keys } = await read(metadata.jwks_uri);
    const type = 'application/x-www-form-urlencoded';
    const body = { method: 'POST', body: form, headers: { 'Content-Type': type, 'X-Ours': '1' } };
    const { access_token } = await read(metadata.token_endpoint, body);
    const headers = { Authorization: `Bearer ${access_token}` };
    const { sub } = await read(metadata.userinfo_endpoint, { headers });
    const products = await read(`${issuer}/api/products`, { headers });
    return { keys: keys.length > 0, sub, products: products.length > 0 };
  }, calls);
}

const scope = 'openid products:read';

function createOurs(redirect_uri: string): Promise<Sandbox> {
  return createSandbox({ clients: [{ client_id: 'app', redirect_uris: [redirect_uri], scope }] });
}

/** Opens the login page, signs alice in, and gives what the page needs to get its tokens. */
async function signIn(page: Page, { issuer }: Sandbox, redirect_uri: string): Promise<Calls> {
  const query = authorizeQuery({ client_id: 'app', redirect_uri, scope });
  await page.goto(`${issuer}/oauth2/authorize?${query}`);
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(url => url.href.startsWith(redirect_uri));
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri, code, code_verifier: verifier };
  return { issuer, form: new URLSearchParams(form).toString() };
}

describe('an application of another host name', () => {
  it('calls everything it needs where its redirect URI is registered', async () => {
    const redirect_uri = `${app.named}/callback`;
    await using sandbox = await createOurs(redirect_uri);
    const page = await context.newPage();
    const calls = await signIn(page, sandbox, redirect_uri);
    expect(await callAll(page, calls)).toEqual({ keys: true, sub: 'alice', products: true });
    expect(browser.takeTroubles()).toEqual([]);
  });

  it('is refused where nobody named its origin, and let in by the button of its problem', async () => {
    const redirect_uri = `${app.origin}/callback`;
    await using sandbox = await createOurs(redirect_uri);
    const page = await context.newPage();
    const { issuer, form } = await signIn(page, sandbox, redirect_uri);
    await page.goto(`${app.named}/`);
    await expect(callAll(page, { issuer, form })).rejects.toThrow(/Failed to fetch/);
    expect(browser.takeTroubles().join('\n')).toMatch(/blocked by CORS policy/);

    const { requestId } = await sandbox.events.waitFor('error.returned', ({ form: by }) => by === 'cors');
    await page.goto(`${issuer}/dashboard/problems/${requestId}`);
    const button = page.getByTestId('problem-fix');
    expect(await button.textContent()).toBe(`Add ${app.named} to web_origins of app`);
    await button.click();
    await expect.poll(async () => (await sandbox.clients.get('app'))?.web_origins).toEqual([app.named]);
    await page.goto(`${app.named}/`);
    expect(await callAll(page, { issuer, form })).toEqual({ keys: true, sub: 'alice', products: true });
  });
});
