import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { makeBusy } from '../support/busy.ts';
import { openSite, type Site } from '../support/site.ts';
import { post } from '../support/wire.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// The core tasks with a keyboard and nothing else. What gets the focus on the way must be seen to have it.

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  callback = `${app.origin}/callback`;
  sandbox = await createSandbox();
  await makeBusy(sandbox, callback);
});
beforeEach(async () => {
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
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

const open = async (path: string) => {
  await page.goto(`${sandbox.url}/dashboard${path}`);
  await page.locator('#live.on').waitFor();
};
const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const at = (pattern: string) => page.waitForURL(pattern);
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

/** What has the focus: its test id, whether something shows that it has, and whether it is covered. */
function focused() {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const row = element.closest('tr') ?? element;
    const isRinged = [element, row].some(each => getComputedStyle(each).outlineStyle !== 'none');
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + Math.min(width / 2, 20), top + Math.min(height / 2, 10));
    const isSeen = hit !== null && (element.contains(hit) || hit.contains(element));
    return {
      testId: element.getAttribute('data-testid') ?? '',
      isRinged,
      isSeen,
      html: element.outerHTML.slice(0, 99),
    };
  });
}

/** Goes on with Tab until the focus is there; nothing on the way may have a focus that nobody sees. */
async function tabTo(testId: string): Promise<void> {
  for (let presses = 0; presses < 150; presses++) {
    await press('Tab');
    const now = await focused();
    expect(now, 'the focus is hidden').toMatchObject({ isRinged: true, isSeen: true });
    if (now.testId === testId) return;
  }
  throw new Error(`Tab does not lead to ${testId}`);
}

describe('with a keyboard only', () => {
  it('a user signs in and answers the consent screen', async () => {
    await page.goto(authorizationUrl(sandbox, callback, { prompt: 'consent' }));
    await tabTo('login-user-carol');
    await press('Enter');
    await page.getByTestId('consent-allow').waitFor();
    await tabTo('consent-allow');
    await press('Enter');
    await at(`${callback}?code=*`);
  });

  it('one edits the claims of a login', async () => {
    await page.goto(authorizationUrl(sandbox, callback));
    const isThere = () => page.evaluate(() => document.activeElement?.textContent?.includes('Someone else'));
    for (let presses = 0; presses < 50 && !(await isThere()); presses++) await press('Tab');
    await press('Enter');
    await tabTo('login-sub');
    await page.keyboard.type('zoe');
    await tabTo('login-submit');
    await press('Enter');
    await at(`${callback}?code=*`);
    expect(sandbox.events.latest('login.succeeded', 1)[0]).toMatchObject({ sub: 'zoe' });
  });

  it('one opens a token, copies it, and comes back to its row', async () => {
    await open('');
    await press('g', 't');
    await at('**/dashboard/tokens');
    await press('j', 'j');
    const row = await page.evaluate(() => document.activeElement?.closest('tr')?.id);
    await press('Enter');
    await at('**/tokens/tok_*');
    const tokenId = page.url().split('/').at(-1) ?? '';
    await press('y');
    await expect.poll(clipboard).toBe(sandbox.events.issued(tokenId)?.token);
    await press('Escape');
    await at('**/dashboard/tokens');
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('tr')?.id)).toBe(row);
  });

  it('one gets the curl of a token from its row', async () => {
    await open('/tokens/list?q=type:access');
    await press('j', '.', 'Enter');
    await page.getByTestId('menu-copy-curl').waitFor();
    await tabTo('menu-copy-curl');
    await press('Enter');
    await expect.poll(clipboard).toMatch(/^curl /);
  });

  it('one finds something by the filter', async () => {
    await open('/tokens/list');
    await press('/');
    await page.keyboard.type('user:bob type:refresh');
    await press('Enter');
    await at('**/tokens/list?q=*');
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
    expect(new Set(await page.locator('tbody .type').allTextContents())).toEqual(new Set(['refresh']));
  });

  it('a developer reads a refusal and fixes it', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'sensor-secret' };
    expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(401);
    await open('');
    await press('g', 'p');
    await at('**/dashboard/problems');
    await press('j', 'Enter');
    await page.getByTestId('problem-fix').waitFor();
    await tabTo('problem-fix');
    await press('Enter');
    await page.getByTestId('problem-done').waitFor();
    expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(200);
  });

  it('one opens a flow and its steps, and presents it', async () => {
    await open('');
    await press('g', 'f');
    await at('**/dashboard/flows');
    await press('j', 'Enter');
    await at('**/flows/flow_*');
    const steps = page.getByTestId('flow-steps').locator('> li > details');
    const openSteps = () => steps.evaluateAll(all => all.filter(each => (each as HTMLDetailsElement).open).length);
    await press(']');
    expect(await openSteps()).toBe(await steps.count());
    await press('[');
    expect(await openSteps()).toBe(0);
    await press('j', 'Enter');
    expect(await openSteps()).toBe(1);
    await open(new URL(page.url()).pathname.replace('/dashboard', ''));
    await tabTo('flow-present');
    await press('Enter');
    await at('**?step=1*');
    await press('n');
    await at('**?step=2*');
    await press('p');
    await at('**?step=1*');
  });

  it('one sends a request again', async () => {
    await open('');
    await press('g', 'r');
    await at('**/dashboard/requests');
    await press('j', 'Enter');
    await at('**/dashboard/requests?open=req_*');
    await tabTo('pane-page');
    await press('Enter');
    await at('**/requests/req_*');
    await tabTo('replay-again');
    await press('Enter');
    await page.getByTestId('replay-of').waitFor();
  });

  it('one changes a client and a user', async () => {
    await open('');
    await press('g', 'c');
    await at('**/dashboard/clients');
    await press('j', 'Enter');
    await page.getByTestId('clients-form').waitFor();
    await tabTo('clients-client_name');
    await page.keyboard.type('Renamed by keyboard');
    await press('Enter');
    await page.getByTestId('clients-done').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Renamed by keyboard');
    await page.locator('#live.on').waitFor();
    await press('g', 'u');
    await at('**/dashboard/users');
    await tabTo('users-make-up');
    await press('Enter');
    await page.getByTestId('users-done').waitFor();
  });

  it('a developer pauses and resumes a live list', async () => {
    await open('/requests');
    await press('Space');
    expect(await page.locator('#live').textContent()).toBe('Paused');
    await press('Space');
    expect(await page.locator('#live').textContent()).toBe('Live');
  });

  it('one sees all keys, closes that again, and turns them off', async () => {
    await open('/settings');
    await press('?');
    expect(await page.getByTestId('keys-dialog').isVisible()).toBe(true);
    await press('Escape');
    expect(await page.getByTestId('keys-dialog').isVisible()).toBe(false);
    await tabTo('settings-keys');
    await press('Space');
    await tabTo('settings-save');
    await press('Enter');
    await page.getByTestId('settings-done').waitFor();
    await press('g', 't');
    expect(new URL(page.url()).pathname).toBe('/dashboard/settings');
  });

  it('one passes over the navigation', async () => {
    await open('/tokens');
    await press('Tab', 'Enter', 'Tab');
    expect(await focused()).toMatchObject({ testId: 'tab-flows' });
  });
});
