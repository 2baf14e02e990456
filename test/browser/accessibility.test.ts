import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isFullMatrix } from '../support/matrix.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';
import { dashboardStops } from './support/tour/dashboard-stops.ts';
import { cutValues, mainButtons } from './support/tour/look.ts';
import { contract, contractOf, templateTestIds, testIdsOf } from './support/tour/test-ids.ts';
import { tour } from './support/tour/tour.ts';
import { openWorld, type World } from './support/tour/world.ts';

// What holds on every page: nothing comes from another site, no breach of the Content Security Policy, the promised test ids,
// content begins soon, one main button at most, nothing sticks out or is cut off unsaid, and a print has no navigation. On one
// state of each page, axe finds nothing. New pages are added to ./support/tour.

let browser: TestBrowser;
let world: World;
/** One profile, with one cache, sees all pages of the dashboard that need neither a cookie of their own nor the focus. */
let onlooker: BrowserContext;
let axe: string;
/** Of each page that was visited. */
const seenIds = new Map<string, readonly string[]>();

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await openBrowser();
  onlooker = await browser.newContext(wide);
  world = await openWorld();
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const wide = { viewport: { width: 1280, height: 800 } };
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

/** The menu of tools covers what is below it, which nobody can click meanwhile; so one page shows it for all. */
const withTools = 'dashboard, with a refusal and a flow';

async function unfold(page: Page, folded: string): Promise<void> {
  await page.evaluate(folded => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>(`details:not(${folded})`)) details.open = true;
  }, folded);
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
async function problemsAsOpened(page: Page): Promise<string[]> {
  const [top, filled] = [await contentTop(page), await mainButtons(page)];
  return [
    ...(filled.length > 1 ? [`${filled.length} main buttons: ${filled.join(', ')}`] : []),
    ...(top > 130 ? [`content begins ${top} px from the top`] : []),
    ...((await isNavigationPrinted(page)) ? ['the navigation is printed'] : []),
  ];
}

interface Look {
  readonly width: 1280 | 360 | 320;
  readonly isUnfolded: boolean;
  readonly colorScheme: 'light' | 'dark';
  readonly rules: string[];
}

const widths = [1280, 360, 320] as const;
/** All rules, once for a page: an axe run takes longer than everything else that is done with it. */
const inTurn: readonly Look[] = [
  { width: 320, isUnfolded: true, colorScheme: 'light', rules: allRules },
  { width: 1280, isUnfolded: true, colorScheme: 'dark', rules: allRules },
];
const allLooks: readonly Look[] = [
  ...widths.map(width => ({ width, isUnfolded: false, colorScheme: 'light', rules: foldedRules }) as const),
  ...widths.map(width => ({ width, isUnfolded: true, colorScheme: 'light', rules: allRules }) as const),
  ...widths.map(width => ({ width, isUnfolded: true, colorScheme: 'dark', rules: colourRules }) as const),
];

/** Of each page the state that shows most; the others differ in words and numbers. */
const forAxe = [
  ...['login picker with many users', 'claims editor with a mistake', 'password mode after a wrong one', 'continue as'],
  ...['consent', 'error page', 'logout confirmation with the clients of the session', 'signed out, with who was told'],
  ...[
    'demo application after a refusal, with an account',
    'sign-in for a device',
    'code of a device after a wrong one',
  ],
  ...['device to be allowed', 'device allowed', 'approvals', 'dashboard, with a refusal and a flow'],
  ...[
    'dashboard, with an application to start a login at',
    'tokens',
    'tokens with a filter that is wrong',
    'menu of a token',
  ],
  ...['access token', 'access token, used for the API', 'what changed between two tokens', 'flows'],
  ...['a flow that was refused', 'a flow, step by step', 'problems', 'a problem with all its facts', 'requests'],
  'a request beside the list',
  ...['a request that gave a token', 'a request, sent again', 'decode, a difference to accept', 'clients', 'catalogue'],
  ...[
    'lessons',
    'lesson',
    'recall',
    'lab',
    'workshop, to join',
    'workshop, the seat',
    'workshop, the board',
    'workshop, the controls',
  ],
  ...[
    'workshop, the record of a seat',
    'playground after a refusal',
    'playground, a parameter explained',
    'client with a mistake',
    'users',
    'user with a mistake',
  ],
  ...[
    'API, called',
    'keys, rotated',
    'webhooks, with endpoints and deliveries',
    'a delivery of a webhook',
    'clock, moved',
  ],
  ...[
    'faults, some of them armed',
    'client report',
    'examine, with a mistake',
    'an examination by hand',
    'a record, with a mistake',
    'connect, with names that differ',
    'settings',
    'reset, with a dialog',
  ],
  ...['the keys of the keyboard', 'not found', 'lab that is a mystery'],
];

/** Light or dark in turn; `FULL_MATRIX=1` shows each state in each look. */
function looksOf(name: string): readonly Look[] {
  if (isFullMatrix) return allLooks;
  const place = forAxe.indexOf(name);
  return inTurn.filter((_, turn) => place !== -1 && turn === place % inTurn.length);
}

it('the states for axe are in the tour', () => {
  expect(forAxe).toContain(withTools);
  expect(forAxe.filter(name => !Object.hasOwn(tour, name))).toEqual([]);
});

/** Of each page one state is seen wide, too: what fits in a narrow window seldom sticks out of a wide one. */
function widthsFor(looks: readonly Look[]): readonly number[] {
  if (isFullMatrix) return widths;
  return looks.length > 0 ? [1280, 320] : [320];
}

async function problemsInWidths(page: Page, name: string): Promise<string[]> {
  const looks = looksOf(name);
  if (looks.length > 0) await page.evaluate(axe);
  const found: string[] = [];
  await showAllRows(page);
  for (const isUnfolded of [false, true]) {
    if (isUnfolded) await unfold(page, name === withTools ? '.none' : '.tools-menu');
    for (const width of widthsFor(looks)) {
      await page.setViewportSize({ width, height: 800 });
      const words = `${width} px${isUnfolded ? ', unfolded' : ''}`;
      for (const { colorScheme, rules } of looks.filter(it => it.width === width && it.isUnfolded === isUnfolded)) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        for (const violation of await violations(page, rules)) found.push(`${words}, ${colorScheme}: ${violation}`);
      }
      for (const element of [...(await overflow(page)), ...(await cutValues(page))]) found.push(`${words}: ${element}`);
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

function isForOnlooker(name: string): boolean {
  return Object.hasOwn(dashboardStops, name) && !/^(workshop|menu|lesson$|lab)/.test(name);
}

describe.concurrent.each(Object.keys(tour))('%s', name => {
  it('is accessible, fits wide and narrow, begins soon, has one main button, and prints', {
    timeout: 600_000,
  }, async () => {
    const context = isForOnlooker(name) ? onlooker : await browser.newContext(wide);
    const page = await context.newPage();
    await tour[name]?.(page, world);
    await page.waitForLoadState();
    seenIds.set(name, await testIdsOf(page));
    const found = [...(await problemsAsOpened(page)), ...(await problemsInWidths(page, name))];
    await (context === onlooker ? page : context).close();
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
