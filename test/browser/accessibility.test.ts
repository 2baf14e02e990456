import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl, redeemCode, refresh, sensorToken } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openBrowser, type TestBrowser } from '../support/chromium.ts';
import { openSite, type Site } from '../support/site.ts';

let browser: TestBrowser;
let app: Site;
let callback: string;
let axe: string;
/** Untouched; used by everything but the first run; asks for a password. */
let fresh: Sandbox;
let used: Sandbox;
let strict: Sandbox;
let crowded: Sandbox;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  browser = await openBrowser();
  app = await openSite();
  callback = `${app.origin}/callback`;
  [fresh, used, strict, crowded] = await Promise.all([
    createSandbox(),
    createSandbox({ label: 'a label that is rather long' }),
    createSandbox({ loginMode: 'password' }),
    createSandbox({ users: Array.from({ length: 12 }, (_, index) => ({ sub: `user-${index}` })) }),
  ]);
  await use(used);
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([app, fresh, used, strict, crowded].map(each => ('stop' in each ? each.stop() : each.close())));
});

/** One of everything the dashboard has a page for. */
async function use(sandbox: Sandbox): Promise<void> {
  const page = await newPage();
  await signIn(page, sandbox);
  const { refresh_token } = await redeemCode(sandbox, callback, new URL(page.url()).searchParams.get('code') ?? '');
  await refresh(sandbox, refresh_token);
  await sensorToken(sandbox);
  await fetch(authorizationUrl(sandbox, callback, { redirect_uri: `https://${'long.'.repeat(20)}example/callback` }));
  await page.context().close();
}

async function newPage(): Promise<Page> {
  return (await browser.newContext()).newPage();
}

async function signIn(page: Page, sandbox: Sandbox): Promise<void> {
  await page.goto(authorizationUrl(sandbox, callback));
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(`${callback}?*`);
}

function tokenPath(type: 'code' | 'access' | 'refresh' | 'id'): string {
  const found = [...used.events.latestIssued(100)].find(
    event => (event.type === 'code.issued' ? 'code' : event.tokenType) === type && event.client_id === 'frontend',
  );
  return `/dashboard/tokens/${found?.tokenId}`;
}

function requestPath(type: 'error.returned' | 'token.issued'): string {
  return `/dashboard/requests/${used.events.latest(type, 1)[0]?.requestId}`;
}

/** How each page is reached, with everything on it that can be unfolded unfolded. */
const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'login picker': page => page.goto(authorizationUrl(used, callback, { login_hint: 'bob', acr_values: 'a b' })),
  'login picker without scope': page => page.goto(authorizationUrl(used, callback, { scope: '' })),
  'login picker with many users': async page => {
    await page.goto(authorizationUrl(crowded, callback));
    await page.getByTestId('login-search').fill('user-1');
  },
  'login picker after a refused subject': async page => {
    await page.goto(authorizationUrl(used, callback));
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('Zoë');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'password mode': page => page.goto(authorizationUrl(strict, callback)),
  'password mode after a wrong one': async page => {
    await page.goto(authorizationUrl(strict, callback));
    await page.getByTestId('login-username').fill('nobody');
    await page.getByTestId('login-submit').click();
    await page.getByRole('alert').waitFor();
  },
  'continue as': async page => {
    await signIn(page, used);
    await page.goto(authorizationUrl(used, callback, { prompt: 'select_account' }));
  },
  'error page': page => page.goto(authorizationUrl(used, callback, { redirect_uri: 'https://evil.example/callback' })),
  'logout confirmation': async page => {
    await signIn(page, used);
    await page.goto(`${used.url}/connect/logout?client_id=frontend`);
  },
  'signed out': async page => {
    await signIn(page, used);
    await page.goto(`${used.url}/connect/logout`);
    await page.getByTestId('logout-confirm').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  },
  'nobody was signed in': page => page.goto(`${used.url}/connect/logout`),
  'dashboard, first run': page => page.goto(`${fresh.url}/dashboard`),
  'dashboard, in use': page => page.goto(`${used.url}/dashboard`),
  'no token yet': page => page.goto(`${fresh.url}/dashboard/tokens`),
  tokens: page => page.goto(`${used.url}/dashboard/tokens`),
  'tokens with a filter that is wrong': page => page.goto(`${used.url}/dashboard/tokens?q=colour:red+user:nobody`),
  'access token': page => page.goto(used.url + tokenPath('access')),
  'ID Token': page => page.goto(used.url + tokenPath('id')),
  'refresh token': page => page.goto(used.url + tokenPath('refresh')),
  code: page => page.goto(used.url + tokenPath('code')),
  'a request that was refused': page => page.goto(used.url + requestPath('error.returned')),
  'a request that gave a token': page => page.goto(used.url + requestPath('token.issued')),
  'not found': page => page.goto(`${used.url}/dashboard/nowhere`),
};

const rules: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
};

/** What axe finds, a line each. Evaluated past the Content Security Policy, which would not let it in. */
async function violations(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(options),
    rules,
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

describe.each(Object.keys(pages))('%s', name => {
  it('has nothing axe finds, in three widths, light and dark, folded and unfolded, and nothing sticks out', async () => {
    const page = await newPage();
    await pages[name]?.(page);
    await page.evaluate(axe);
    const found: string[] = [];
    for (const isUnfolded of [false, true]) {
      if (isUnfolded) await unfold(page);
      for (const width of [1280, 360, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const at = `${width} px, ${colorScheme}${isUnfolded ? ', unfolded' : ''}`;
          for (const violation of await violations(page)) found.push(`${at}: ${violation}`);
        }
        for (const element of await overflow(page)) found.push(`${width} px: ${element}`);
      }
    }
    await page.context().close();
    expect(found).toEqual([]);
  });
});
