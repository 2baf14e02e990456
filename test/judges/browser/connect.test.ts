import { transform } from 'esbuild';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { snippetsOf } from '../../support/snippets.ts';
import { portOf, raw } from '../../support/wire.ts';
import { bundleForBrowser } from '../support/run-snippet.ts';

let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let snippet: (id: string) => string;
let script: string;

/** What an application makes of the snippet: a button, and who is signed in. */
const application = `
const status = document.getElementById('status');
document.getElementById('sign-in').addEventListener('click', () => void signIn());
currentUser().then(
  async user => {
    const answer = user ? await callApi() : undefined;
    status.textContent = user ? \`signed in as \${user.profile.sub}, API \${answer.status}\` : 'signed out';
  },
  error => (status.textContent = error.message),
);
`;
const html =
  '<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,"><p id="status">starting</p>' +
  '<button id="sign-in">Sign in</button><script type="module" src="/app.js"></script>';

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite(({ url }) =>
    url.pathname === '/app.js' ? { headers: { 'Content-Type': 'text/javascript' }, body: script } : { body: html },
  );
});
beforeEach(async () => {
  const front = {
    client_id: 'front',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [`${app.origin}/callback`],
    scope: 'openid profile products:read',
  } as const;
  sandbox = await createSandbox({ clients: [front, { ...front, client_id: 'other' }] });
  snippet = await snippetsOf(sandbox.url, 'front');
  script = await bundleForBrowser(snippet('spa') + application);
});
afterEach(async () => {
  await sandbox.stop();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

async function openPage(options = {}): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

async function expectStatus(page: Page, text: string): Promise<void> {
  await expect.poll(() => page.locator('#status').textContent()).toBe(text);
}

/** As much of Playwright's test runner as a snippet uses: its tests, each for a page. */
async function testsOf(code: string): Promise<readonly ((page: Page) => Promise<void>)[]> {
  type Step = (given: { page: Page }) => Promise<void>;
  const before: Step[] = [];
  const tests: Step[] = [];
  const test = Object.assign((_title: string, body: Step) => void tests.push(body), {
    beforeEach: (step: Step) => void before.push(step),
  });
  const shown = (locator: Locator) => ({ toBeVisible: () => locator.waitFor({ state: 'visible' }) });
  const { code: plain } = await transform(code, { loader: 'ts', format: 'cjs' });
  const load = new Function('require', plain) as (require: () => object) => void;
  load(() => ({ test, expect: shown }));
  return tests.map(body => async page => {
    for (const step of [...before, body]) await step({ page });
  });
}

describe('the snippet for oidc-client-ts', () => {
  it('signs in and calls the API', async () => {
    const page = await openPage();
    await page.goto(app.origin);
    await expectStatus(page, 'signed out');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByTestId('login-user-bob').click();
    await expectStatus(page, 'signed in as bob, API 200');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.context().close();
  });
});

describe('the snippets for Playwright', () => {
  it.each(['playwright', 'playwright-no-click'])(
    'pass as they are, with an application like the snippet: %s',
    async id => {
      const tests = await testsOf(snippet(id));
      expect(tests).toHaveLength(1);
      for (const run of tests) {
        const page = await openPage();
        await run(page);
        await expectStatus(page, 'signed in as alice, API 200');
        await page.context().close();
      }
    },
  );
});

describe('the page', () => {
  it('keeps the lines of a snippet whole on a phone, where their box scrolls', async () => {
    const page = await openPage({ viewport: { width: 360, height: 800 } });
    await page.goto(`${sandbox.url}/dashboard/connect`);
    const shown = await page.locator('#code-spa').evaluate(code => {
      const range = document.createRange();
      range.selectNodeContents(code);
      const lines = (code.textContent ?? '').trimEnd().split('\n').length;
      return {
        lines,
        drawn: Math.round(range.getBoundingClientRect().height / 20),
        scrolls: code.scrollWidth > code.clientWidth,
      };
    });
    expect(shown.drawn).toBeLessThanOrEqual(shown.lines + 1);
    expect(shown).toMatchObject({ scrolls: true });
    await page.context().close();
  });

  it('shows every snippet without scripts, for the client that is chosen', async () => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`${sandbox.url}/dashboard/connect`);
    expect(await page.getByTestId('connect-snippet-spa').locator('pre').isVisible()).toBe(true);
    const express = page.getByTestId('connect-snippet-express');
    expect(await express.locator('pre').isVisible()).toBe(false);
    await express.locator('summary').click();
    expect(await express.locator('pre').isVisible()).toBe(true);
    await page.getByTestId('connect-client').selectOption('other');
    await page.getByTestId('connect-client-show').click();
    expect(await page.getByTestId('connect-snippet-spa').locator('pre').textContent()).toContain(`client_id: 'other'`);
    await page.context().close();
  });

  it('copies a snippet, and opens the one that was asked for', async () => {
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${sandbox.url}/dashboard/connect?client=front&open=compose`);
    const compose = page.getByTestId('connect-snippet-compose');
    await compose.getByRole('button', { name: 'Copy' }).click();
    await compose.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(snippet('compose'));
    expect(await page.getByTestId('connect-snippet-spa').locator('pre').isVisible()).toBe(false);
    await page.context().close();
  });

  it('is beside the newest sign-in on Home, once there was one', async () => {
    const page = await openPage();
    await page.goto(`${sandbox.url}/dashboard`);
    expect(await page.getByTestId('home-flow').count()).toBe(0);
    await page.goto(app.origin);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByTestId('login-user-bob').click();
    await expectStatus(page, 'signed in as bob, API 200');
    await page.goto(`${sandbox.url}/dashboard`);
    expect(await page.getByTestId('home-flow').getByRole('heading').textContent()).toMatch(
      /^\S+ signed in to .*, called the API once\.$/,
    );
    const steps = await page.getByTestId('home-steps').getByRole('listitem').allTextContents();
    expect(steps).toHaveLength(3);
    expect(steps.join(' ')).toContain('GET /api/products');
    await page.context().close();
  });

  it('is led to from home', async () => {
    const page = await openPage();
    await page.goto(`${sandbox.url}/dashboard`);
    const code = page.getByTestId('home-code').locator('summary');
    if (await code.isVisible()) await code.click();
    await page.getByTestId('home-connect').click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Connect an app');
    await page.context().close();
  });
});

describe('the host names', () => {
  const fetchAs = (host: string, agent: string) =>
    raw(
      portOf(sandbox.url),
      `GET /.well-known/openid-configuration HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`,
    );

  it('are all right where everybody uses the issuer', async () => {
    const page = await openPage();
    await page.goto(`${sandbox.url}/oauth2/authorize?client_id=front`);
    await page.goto(`${sandbox.url}/dashboard/connect`);
    await page.getByTestId('connect-hosts-ok').waitFor();
    await page.context().close();
  });

  it('are diagnosed with their callers and the lines that fix them', async () => {
    const port = portOf(sandbox.url);
    const page = await openPage();
    await page.goto(`http://127.0.0.1:${port}/oauth2/authorize?client_id=front`);
    await fetchAs(`idp.localhost:${port}`, 'Java-http-client/17.0.2');
    await fetchAs(`idp:${port}`, 'python-requests/2.32');
    await page.goto(`${sandbox.url}/dashboard/connect`);
    expect(await page.locator('.notice').getByRole('link').textContent()).toBe('3 host names');
    const texts = (kind: string) => page.getByTestId(`connect-diagnosis-${kind}`).locator('pre').allTextContents();
    expect(await texts('browser_elsewhere')).toEqual([sandbox.issuer]);
    expect(await texts('backend_elsewhere')).toContain(`BACKCHANNEL_URL=http://idp.localhost:${port}`);
    expect(await texts('host_refused')).toContain('ALLOWED_HOSTS=idp');
    const rows = await page.getByTestId('connect-hosts').locator('tbody tr').allTextContents();
    expect(rows).toEqual([
      expect.stringMatching(/idp\.localhost.*Back end, Java-http-client\/17\.0\.2.*differs/s),
      expect.stringMatching(/127\.0\.0\.1.*Browser, Chrome.*differs/s),
      expect.stringMatching(/idp:.*Back end, python-requests\/2\.32.*refused/s),
    ]);
    await page.context().close();
  });

  it('show foreign input as text, and use none of it in the proposed lines', async () => {
    await fetchAs(`<img src=x onerror=alert(1)>`, '<script>alert(2)</script>');
    await fetchAs(`"'><svg/onload=alert(3)>`, 'x');
    const page = await openPage();
    await page.goto(`${sandbox.url}/dashboard/connect`);
    expect(await page.getByTestId('connect-hosts').textContent()).toContain('<svg/onload=alert(3)>');
    expect(await page.getByTestId('connect-hosts').locator('img, svg, script').count()).toBe(0);
    expect(await page.getByTestId('connect-hosts').locator('pre').count()).toBe(0);
    await page.context().close();
  });
});
