import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { makeBusy } from '../support/busy.ts';
import { newFolder } from '../support/new-folder.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let folder: string;
let axe: string;

beforeAll(async () => {
  folder = newFolder();
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const sandbox = await createSandbox({ reportDir: folder });
  await makeBusy(sandbox, 'http://localhost:5173/callback');
  await sandbox.stop();
  browser = await openBrowser();
});
afterAll(() => browser.close());

it.each([
  ['light', 320],
  ['dark', 1200],
] as const)('the client report can be read offline and by everybody: %s, %i px', async (colorScheme, width) => {
  const context = await browser.newContext({ offline: true, colorScheme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  expect(browser.takeTroubles()).toEqual([]);
  await page.locator('table a').first().click();
  expect(await page.locator('h2:target').count()).toBe(1);
  for (const summary of await page.locator('summary:visible').all()) await summary.click();
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await page.locator('.fail:visible').count()).toBeGreaterThan(0);
  await context.close();
});

it('the session opens offline beside it, with each flow as a picture and each request', async () => {
  const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, 'session.html')).href);
  expect(await page.locator('section.sequence').count()).toBeGreaterThan(3);
  expect(await page.locator('h2', { hasText: 'Sign-in with a code, frontend, alice' }).count()).toBe(2);
  const first = page.locator('section:has(#requests) details').first();
  await first.locator('summary').click();
  expect(await first.locator('pre').first().innerText()).toMatch(/^GET \/\.well-known\/openid-configuration\n/);
  expect(browser.takeTroubles()).toEqual([]);
  await context.close();
});
