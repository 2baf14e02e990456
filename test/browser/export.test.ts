import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { type Busy, makeBusy } from '../support/busy.ts';
import { newFolder } from '../support/new-folder.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let sandbox: Sandbox;
let busy: Busy;
let folder: string;

beforeAll(async () => {
  browser = await openBrowser();
  sandbox = await createSandbox();
  busy = await makeBusy(sandbox, 'http://localhost:5173/callback');
  folder = newFolder();
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

/** What a link of the dashboard downloads, as a file of its own. */
async function download(path: string): Promise<{ readonly text: string; readonly address: string }> {
  const response = await fetch(`${sandbox.url}/dashboard${path}`);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="grantbox-[\w-]+\.html"$/);
  const text = await response.text();
  const file = join(folder, 'report.html');
  await writeFile(file, text);
  return { text, address: pathToFileURL(file).href };
}

async function flowOf(requestId: string): Promise<string> {
  const response = await fetch(`${sandbox.url}/dashboard/flows/by-request/${requestId}`, { redirect: 'manual' });
  const { pathname } = new URL(response.headers.get('location') ?? '', sandbox.url);
  return pathname.split('/').at(-1) ?? '';
}

describe('the HTML report', () => {
  it('opens offline and without scripts, and shows a flow as the dashboard does', async () => {
    const flow = await flowOf(busy.refused.verifier);
    const { address } = await download(`/flows/${flow}/export/html`);
    const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    expect(await page.locator('.seq > li').count()).toBeGreaterThan(5);
    const step = page.locator('.seq > li.refused details');
    await step.locator('summary').click();
    expect(await step.innerText()).toMatch(/invalid_grant/);
    await step.locator('a[href^="#req_"]').click();
    expect(await page.locator(':target').innerText()).toMatch(/POST\s+\/oauth2\/token\s+400/);
    expect(await page.locator('script').count()).toBe(0);
    await context.close();
  });

  it('of the whole session has every flow and every request, and no secret', async () => {
    const { text, address } = await download('/export/html');
    const page = await (await browser.newContext({ offline: true })).newPage();
    await page.goto(address);
    expect(await page.locator('section.sequence').count()).toBeGreaterThan(4);
    const contents = page.locator('nav li');
    expect(await contents.count()).toBe((await page.locator('section.sequence').count()) + 1);
    await contents.nth(1).locator('a').click();
    expect(await page.locator('h2:target').count()).toBe(1);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('.strip').isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    expect(await page.locator('details[id^="req_"]').count()).toBe(sandbox.events.kept('request.completed'));
    for (const { token } of sandbox.events.latestIssued(1000)) {
      const secret = token.includes('.') ? (token.split('.').at(-1) ?? '') : token;
      expect(text).not.toContain(secret);
    }
    await page.context().close();
  });

  it('fills its pages on paper, as the pages of the dashboard do: nothing that must not break is longer than half a page', async () => {
    const flow = await flowOf(busy.refused.verifier);
    const token = sandbox.events.latest('token.issued', 1)[0]?.tokenId;
    const addresses = [
      (await download(`/flows/${flow}/export/html`)).address,
      ...[
        `flows/${flow}`,
        `tokens/${token}`,
        `requests/${busy.refused.verifier}`,
        `problems/${busy.refused.verifier}`,
      ].map(path => `${sandbox.url}/dashboard/${path}`),
    ];
    const page = await (await browser.newContext({ viewport: { width: 718, height: 1046 } })).newPage(); // A4 without its margins
    await page.emulateMedia({ media: 'print' });
    for (const address of addresses) {
      await page.goto(address);
      const long = await page.evaluate(() =>
        [...document.querySelectorAll('main *')]
          .filter(
            each => getComputedStyle(each).breakInside.startsWith('avoid') && each.getBoundingClientRect().height > 523,
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 80)),
      );
      expect(long, address).toEqual([]);
    }
    // the lanes are drawn on paper
    await page.goto(addresses[0] ?? '');
    expect(await page.locator('.lane-names').isVisible()).toBe(true);
    await page.context().close();
  });

  it('has the secrets where somebody asks for them', async () => {
    const { text } = await download('/export/html?secrets=include');
    expect(text).toContain(busy.tokens.refresh_token);
  });
});
