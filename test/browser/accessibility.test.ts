import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../support/chromium.ts';
import { contract, contractOf, templateTestIds, testIdsOf } from '../support/tour/test-ids.ts';
import { tour } from '../support/tour/tour.ts';
import { openWorld, type World } from '../support/tour/world.ts';

// ux.md §6, what holds on every page: G10 (axe), G17 and G18 (nothing external, no breach of the CSP), G25 (test ids), and
// of §2 L5 (content begins soon), of §5.5 no overflow and print. New pages are added to test/support/tour.

let browser: TestBrowser;
let world: World;
let axe: string;
/** Of each page that was visited. */
const seenIds = new Map<string, readonly string[]>();

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await openBrowser();
  world = await openWorld();
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** A theme changes colours and nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];
/** Folded, a page shows less; but what can be clicked lies closer. */
const foldedRules = ['target-size'];

/** What axe finds, a line each. Evaluated past the Content Security Policy, which would not let it in. */
async function violations(page: Page, runOnly: string[]): Promise<string[]> {
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    options,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`);
}

/** What sticks out on the right. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > innerWidth + 1,
    );
    return [`${document.documentElement.scrollWidth} px wide`, ...wide.map(({ outerHTML }) => outerHTML.slice(0, 120))];
  });
}

async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

/** How far from the top of the page the first content lies; what is only for screen readers is none. */
function contentTop(page: Page): Promise<number> {
  return page.evaluate(() => {
    const tops = [...document.querySelectorAll('main *')]
      .filter(element => element.checkVisibility() && element.getBoundingClientRect().height > 2)
      .map(element => element.getBoundingClientRect().top + scrollY);
    return Math.min(...tops);
  });
}

async function isNavigationPrinted(page: Page): Promise<boolean> {
  await page.emulateMedia({ media: 'print' });
  const isShown = await page.locator('nav.side, .strip').first().isVisible();
  await page.emulateMedia({ media: 'screen' });
  return isShown;
}

/** What is wrong with a page as it was opened. */
async function faultsAsOpened(page: Page): Promise<string[]> {
  const top = await contentTop(page);
  return [
    ...(top > 130 ? [`content begins ${top} px from the top`] : []),
    ...((await isNavigationPrinted(page)) ? ['the navigation is printed'] : []),
  ];
}

async function faultsInWidths(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: string[] = [];
  const look = async (words: string, rules: string[], colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const violation of await violations(page, rules)) found.push(`${words}, ${colorScheme}: ${violation}`);
  };
  await showAllRows(page);
  for (const isUnfolded of [false, true]) {
    if (isUnfolded) await unfold(page);
    for (const width of [1280, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      const words = `${width} px${isUnfolded ? ', unfolded' : ''}`;
      await look(words, isUnfolded ? allRules : foldedRules, 'light');
      if (isUnfolded) await look(words, colourRules, 'dark');
      for (const element of await overflow(page)) found.push(`${words}: ${element}`);
    }
  }
  return found;
}

/** What is skipped by `content-visibility` keeps the places it had at the width before, and axe would measure those. */
function showAllRows(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const rows of document.querySelectorAll('tbody')) rows.style.contentVisibility = 'visible';
  });
}

describe.concurrent.each(Object.keys(tour))('%s', name => {
  it('is accessible in three widths, light and dark, folded and unfolded; begins soon, and prints', {
    timeout: 600_000,
  }, async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await tour[name]?.(page, world);
    seenIds.set(name, await testIdsOf(page));
    const found = [...(await faultsAsOpened(page)), ...(await faultsInWidths(page))];
    await context.close();
    expect(found).toEqual([]);
  });
});

describe('the test ids', () => {
  it('are those of test-ids.txt, which people rely on', async ({ skip }) => {
    skip(seenIds.size < Object.keys(tour).length, 'Not every page was visited.');
    const now = contractOf([...(await templateTestIds()), ...[...seenIds.values()].flat()]);
    const then = await contract();
    const gone = then.filter(id => !now.includes(id));
    const added = now.filter(id => !then.includes(id));
    expect(gone, 'A data-testid that is gone breaks the tests of others: that needs a major version.').toEqual([]);
    expect(added, 'Each new data-testid is a promise: add it to test/browser/test-ids.txt.').toEqual([]);
  });
});
