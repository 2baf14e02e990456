import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

const callback = 'http://localhost:3000/callback';
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
let browser: TestBrowser;
let sandbox: Sandbox;
let axe: string;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await openBrowser();
  sandbox = await createSandbox({
    clients: [
      { client_id: 'frontend', client_name: 'Bike shop', redirect_uris: [callback] },
      { client_id: 'asking', redirect_uris: [callback], require_consent: true, branding: { color: '#f3b63f' } },
      { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    ],
  });
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

/** The problems of axe, and whether anything sticks out. */
async function problemsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    runOnly => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({ runOnly }),
    rules,
  );
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
    ...(isWide ? [`${page.url()} is wider than the window`] : []),
  ];
}

// right to left, without spaces, and with the longest words
describe.each([
  ['ar', 360, 'dark'],
  ['ja', 360, 'light'],
  ['de', 360, 'light'],
] as const)('in a browser that speaks %s, %i px wide, %s', (locale, width, colorScheme) => {
  it('each page of a login is accessible and fits', async () => {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(authorizationUrl(sandbox, callback));
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    for (const id of ['login-scopes', 'login-details', 'login-someone-else', 'login-fail'])
      await page.getByTestId(id).click();
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(authorizationUrl(sandbox, callback, { client_id: 'fronted' }));
    expect(await problemsOf(page)).toEqual([]);
    await page.goto(authorizationUrl(sandbox, callback, { client_id: 'asking' }));
    expect(await problemsOf(page)).toEqual([]);
    await page.getByTestId('login-user-alice').click();
    await page.getByTestId('consent-allow').waitFor();
    expect(await problemsOf(page)).toEqual([]);
    for (const path of ['/oauth2/device_verification', '/approvals', '/connect/logout']) {
      await page.goto(sandbox.url + path);
      expect(await problemsOf(page)).toEqual([]);
    }
    await page.getByTestId('logout-confirm').click();
    await page.getByTestId('logout-confirm').waitFor({ state: 'detached' });
    expect(await problemsOf(page)).toEqual([]);
    await context.close();
  });
});

describe('an Arabic page', () => {
  it('runs from right to left, and code from left to right', async () => {
    const context = await browser.newContext({ locale: 'ar', viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(authorizationUrl(sandbox, callback));
    const directionOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(element => getComputedStyle(element).direction);
    expect(await directionOf('h1')).toBe('rtl');
    expect(await directionOf('.asks code')).toBe('ltr');
    const [avatar, name] = await Promise.all(
      ['.avatar', '.person-name'].map(selector => page.locator(selector).first().boundingBox()),
    );
    expect(avatar?.x ?? 0).toBeGreaterThan(name?.x ?? Number.POSITIVE_INFINITY);
    await context.close();
  });
});

it('branding colors the heading, and the strip keeps its own colors', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const look = async (client_id: string) => {
    await page.goto(authorizationUrl(sandbox, callback, { client_id }));
    const background = (selector: string) =>
      page.locator(selector).evaluate(element => getComputedStyle(element).background);
    return { strip: await background('.strip'), head: await background('.gate-head') };
  };
  const [plain, colored] = [await look('frontend'), await look('asking')];
  expect(colored.strip).toBe(plain.strip);
  expect(colored.head).toContain('rgb(243, 182, 63)');
  expect(plain.head).not.toContain('rgb(243, 182, 63)');
  expect(await page.locator('.strip').isVisible()).toBe(true);
  await context.close();
});
