import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// The mistake that only a browser can meet: a callback that is called twice with one code.

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  callback = `${app.origin}/callback`;
  const client = { client_id: 'frontend', loopback_redirects: true, scope: 'openid profile email products:read' };
  sandbox = await createSandbox({ clients: [{ ...client, token_endpoint_auth_method: 'none' }] });
});
afterAll(async () => {
  await browser.close();
  await Promise.all([sandbox.stop(), app.close()]);
});

/** What the application was called with. */
const codes = () =>
  app.requests.filter(({ url }) => url.pathname === '/callback').map(({ url }) => url.searchParams.get('code'));

it('a callback is called twice with the same code, and the next login once', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await sandbox.nextLogin({ sub: 'alice' });
  await sandbox.faults.arm({ fault: 'double_redirect' });
  await page.goto(authorizationUrl(sandbox, callback));
  await page.waitForURL(`${callback}?*`);
  const [first, second, ...more] = codes();
  expect([second, more]).toEqual([first, []]);
  await redeemCode(sandbox, callback, first ?? '');
  await expect(redeemCode(sandbox, callback, second ?? '')).rejects.toThrow('invalid_grant');
  await page.goto(authorizationUrl(sandbox, callback));
  await page.waitForURL(`${callback}?*`);
  expect(codes(), 'the session has begun all the same, and nothing is doubled').toHaveLength(3);
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
