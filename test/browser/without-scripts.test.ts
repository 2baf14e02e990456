import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { type Busy, makeBusy } from '../support/busy.ts';
import { openSite, type Site } from '../support/site.ts';
import { post } from '../support/wire.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// With scripts off one logs in, reads a token, a flow and a problem, applies a fix, changes a client.

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;
let done: Busy;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  callback = `${app.origin}/callback`;
  sandbox = await createSandbox();
  done = await makeBusy(sandbox, callback);
});
beforeEach(async () => {
  context = await browser.newContext({ javaScriptEnabled: false });
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([sandbox.stop(), app.close()]);
});

const open = (path: string) => page.goto(`${sandbox.url}/dashboard${path}`);
const mainText = async () => (await page.locator('main').innerText()).replace(/\s+/g, ' ');

async function logIn(): Promise<string> {
  await page.goto(authorizationUrl(sandbox, callback));
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(`${callback}?*`);
  return new URL(page.url()).searchParams.get('code') ?? '';
}

describe('with scripts off', () => {
  it('one logs in, and reads the token from the list to its family', async () => {
    const { access_token } = await redeemCode(sandbox, callback, await logIn());
    await open('/tokens');
    await page.locator('tbody .chip').nth(1).click();
    await page.waitForURL('**/tokens/tok_*');
    const issued = sandbox.events.issued(page.url().split('/').at(-1) ?? '');
    expect(['id', 'access', 'refresh']).toContain(issued !== undefined && 'tokenType' in issued && issued.tokenType);
    await open(`/tokens/${sandbox.events.latestIssued(9).find(({ token }) => token === access_token)?.tokenId}`);
    expect(await page.locator('.claim-list').first().innerText()).toContain('alice');
    expect(await page.locator('.checks').first().textContent()).toContain('RS256');
    expect(await page.locator('#token').textContent()).toBe(access_token);
    await page.getByTestId('token-more').locator('> summary').click();
    await page.getByTestId('token-copy-as').locator('summary', { hasText: 'Authorization header' }).click();
    expect(await page.locator('#copy-header').innerText()).toContain(`Bearer ${access_token}`);
    expect(await page.getByTestId('token-family').innerText()).toContain('this token');
  });

  it('one finds a flow, opens its steps, and goes through them one by one', async () => {
    await open('/flows');
    await page
      .locator('tbody tr', { hasText: 'Refused' })
      .filter({ hasText: 'bob' })
      .first()
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL('**/flows/flow_*');
    expect(await page.getByTestId('flow-status').innerText()).toMatch(/^Refused: /);
    const refused = page.locator('[data-testid^=flow-step-]', { hasText: 'invalid_grant' }).first();
    await refused.locator('> summary').click();
    if ((await refused.getAttribute('open')) === null) await refused.locator('> summary').click();
    expect(await refused.innerText()).toMatch(
      /Explain.*What this step does: .*grant_type.*Response.*error_description/s,
    );
    await page.getByTestId('flow-present').click();
    await page.getByTestId('flow-next').click();
    expect(await page.locator('.presenter').innerText()).toContain('Step 2');
    await page.getByTestId('flow-whole').click();
    await page.getByTestId('flow-explain').click();
    await page.waitForURL('**/problems/*');
  });

  it('one reads a problem, applies its fix, and the client is answered', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'sensor-secret' };
    expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(401);
    await open('/problems');
    await page.getByTestId('problem-row').first().getByRole('link').first().click();
    expect(await page.getByTestId('problem-code').innerText()).toBe('invalid_client');
    expect(await page.getByTestId('problem-comparison').innerText()).toContain('client_secret_post');
    expect(await page.getByTestId('problem-why').innerText()).not.toBe('');
    await page.getByTestId('problem-fix').click();
    const kept = await page.getByTestId('problem-done').innerText();
    expect(kept).toContain("client_id: 'sensor'");
    expect(kept, 'a client that names no method may use both').not.toContain('token_endpoint_auth_method');
    expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(200);
  });

  it('one changes a client and a user, and the next login is different', async () => {
    await open('/clients');
    await page.getByTestId('clients-row').getByRole('link', { name: 'frontend' }).click();
    await page.getByTestId('clients-client_name').fill('The renamed shop');
    await page.getByTestId('clients-save').click();
    expect(await page.getByTestId('clients-done').innerText()).toContain('Saved');
    await open('/users/alice');
    await page.getByTestId('users-claims').fill('{"name": "Alice the Second"}');
    await page.getByTestId('users-save').click();
    expect(await page.getByTestId('users-done').innerText()).toContain('Saved');
    await page.goto(authorizationUrl(sandbox, callback));
    expect(await mainText()).toContain('The renamed shop');
    expect(await page.getByTestId('login-user-alice').innerText()).toContain('Alice the Second');
  });

  it('one decodes a token, sends a request again, calls the API, rotates the keys and chooses a theme', async () => {
    await open('/decode');
    await page.getByTestId('decode-input').fill(done.tokens.id_token);
    await page.getByTestId('decode-submit').click();
    expect(await page.getByTestId('decode-ours').innerText()).toContain('Issued by this sandbox');
    await page.getByTestId('decode-input').fill(JSON.stringify({ sub: 'jane', plan: 'gold' }));
    await page.getByTestId('decode-submit').click();
    await page.getByTestId('decode-like').click();
    await page.getByTestId('decode-like-show').click();
    await page.getByTestId('decode-like-accept').click();
    await page.getByTestId('decode-like-done').waitFor();
    await open(`/requests/${done.refused.verifier}`);
    await page.getByTestId('replay-again').click();
    expect(await page.getByTestId('replay-of').innerText()).toContain(done.refused.verifier);
    await open('/api');
    await page.getByTestId('api-send').click();
    expect(await page.getByTestId('api-status').innerText()).toMatch(/^\d{3}$/);
    await open('/keys');
    await page.getByTestId('keys-rotate').click();
    expect(await page.getByTestId('keys-done').innerText()).toContain('A new key signs');
    await open('/settings');
    await page.getByTestId('settings-theme-dark').click();
    await page.waitForLoadState();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('no button is there for nothing', async () => {
    const lists = ['tokens', 'flows', 'problems', 'requests'].flatMap(name => [`/${name}`, `/${name}/latest`]);
    const others = ['/decode', '/clients', '/clients/frontend', '/users', '/users/alice', '/api', '/keys'];
    const dead: string[] = [];
    for (const path of ['', ...lists, ...others, '/connect', '/settings']) {
      await open(path);
      dead.push(...(await buttonsWithoutForm()));
      expect(await page.locator('#live, #disconnected, .dots').filter({ visible: true }).count()).toBe(0);
    }
    expect(dead).toEqual([]);
  });
});

/** Where no script runs, nothing but a form gives a button something to do. */
async function buttonsWithoutForm(): Promise<string[]> {
  return page
    .locator('button:visible')
    .evaluateAll(buttons =>
      buttons.filter(button => (button as HTMLButtonElement).form === null).map(button => button.outerHTML),
    );
}
