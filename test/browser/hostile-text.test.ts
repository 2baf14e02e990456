import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { authorizationUrl, type Tokens } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { badAddresses, script } from '../support/hostile.ts';
import { attack, hostileConfig, mallory } from '../support/hostile-traffic.ts';
import { openSite, type Site } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// Whatever comes from outside is text on every page that shows it, live rows among them.

let browser: TestBrowser;
let app: Site;
let callback: string;
let sandbox: Sandbox;
let tokens: Tokens;
/** Were open before anything happened: what they show came in live. */
let live: Map<string, Page>;

beforeAll(async () => {
  browser = await openBrowser();
  app = await openSite();
  callback = `${app.origin}/callback`;
  sandbox = await createSandbox(hostileConfig(callback));
  const context = await browser.newContext();
  live = new Map();
  for (const path of ['', '/tokens', '/tokens/list', '/flows', '/problems', '/requests']) {
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/dashboard${path}`);
    await page.locator('#live.on').waitFor();
    live.set(path, page);
  }
  tokens = await attack(sandbox, callback);
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await Promise.all([sandbox.stop(), app.close()]);
});

/** What of the page is not of our making: elements, handlers, addresses; and whether it shows the text. */
async function look(page: Page): Promise<{ foreign: string[]; shows: boolean }> {
  return page.evaluate(text => {
    const all = [...document.querySelectorAll('*')];
    const isOurs = (address: string) =>
      /^(https?:|mailto:)/.test(new URL(address, location.href).protocol) || address.startsWith('data:image/svg+xml');
    const isForeign = (element: Element) =>
      element.matches('iframe, object, embed, base, svg script, math') ||
      (element.localName === 'script' && !(element.getAttribute('src') ?? '').includes('/assets/')) ||
      (element.localName === 'img' && !element.matches('.qr')) ||
      [...element.attributes].some(
        ({ name, value }) =>
          name.startsWith('on') ||
          !/^[a-z][a-z0-9:-]*$/i.test(name) ||
          (['href', 'src', 'action', 'formaction'].includes(name) && !isOurs(value)),
      );
    const fields = all.map(each => ('value' in each ? String(each.value) : ''));
    const shown = [document.body.textContent ?? '', ...fields].join('\n');
    return {
      foreign: all.filter(isForeign).map(element => `${location.pathname}: ${element.outerHTML.slice(0, 200)}`),
      shows: shown.includes(text) || shown.includes(encodeURIComponent(text)),
    };
  }, '<script>alert(1)</script>');
}

const newPage = async () => (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();

/** An address as the kind of page it leads to. */
function kindOf({ pathname }: URL): string {
  return pathname
    .replace(/\/(tok|flow|req|prb)_[^/]+/, '/:$1')
    .replace(/^\/dashboard\/(clients|users)\/.+/, '/dashboard/$1/:id');
}

const mostOfAKind = 5;

/** Follows every link of the dashboard, a few of each kind. */
async function crawl(page: Page, start: readonly string[]): Promise<Map<string, boolean>> {
  const waiting = start.map(path => new URL(path, sandbox.url));
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  const shows = new Map<string, boolean>();
  const found: string[] = [];
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const kind = kindOf(url);
    const count = counts.get(kind) ?? 0;
    if (seen.has(url.pathname + url.search) || count >= mostOfAKind) continue;
    seen.add(url.pathname + url.search);
    counts.set(kind, count + 1);
    await page.goto(url.href);
    const looked = await look(page);
    found.push(...looked.foreign);
    shows.set(kind, (shows.get(kind) ?? false) || looked.shows);
    waiting.push(...(await linksOf(page)));
  }
  expect(found).toEqual([]);
  return shows;
}

/** Of the dashboard, without what is downloaded and what begins a login. */
async function linksOf(page: Page): Promise<URL[]> {
  const links = await page
    .locator('a[href]:not([download])')
    .evaluateAll(all => all.map(each => (each as HTMLAnchorElement).href));
  return links
    .map(link => new URL(link))
    .filter(({ origin, pathname }) => origin === new URL(sandbox.url).origin && pathname.startsWith('/dashboard'))
    .filter(({ pathname }) => !/\/(demo|export|copy)\b|\.md$/.test(pathname));
}

describe('hostile text', () => {
  it('stays text in lists that grow live', async () => {
    for (const [path, page] of live) {
      await expect.poll(async () => (await look(page)).shows, { message: path }).toBe(true);
      expect((await look(page)).foreign).toEqual([]);
    }
    await live.get('/tokens/list')?.locator('.dots').first().click();
    await live.get('/tokens/list')?.getByTestId('menu-copy-token').waitFor();
    for (const page of live.values()) expect((await look(page)).foreign).toEqual([]);
  });

  it('stays text on every page of the dashboard', async () => {
    const q = encodeURIComponent(`${script} claim.${script}:x ${script}:y`);
    const lists = ['tokens', 'flows', 'problems', 'requests', 'clients', 'users'];
    const strange = ['nowhere', 'tokens', 'flows', 'problems', 'requests', 'clients', 'users'];
    const page = await newPage();
    const shows = await crawl(page, [
      '/dashboard',
      ...lists.map(name => `/dashboard/${name}?q=${q}`),
      ...strange.map(name => `/dashboard/${name}/${encodeURIComponent(script)}`),
      `/dashboard/tokens?before=${q}`,
      `/dashboard/clients?done=${q}`,
      `/dashboard/connect?client=${q}`,
      `/dashboard/users/${encodeURIComponent(mallory)}?client=${q}&scope=${q}`,
      `/dashboard/demo/callback?error=${q}&error_description=${q}&error_uri=${encodeURIComponent(badAddresses[0])}`,
    ]);
    await page.context().close();
    const pages = ['tokens', 'flows', 'problems', 'requests', 'clients', 'users'];
    const details = ['tokens/:tok', 'flows/:flow', 'problems/:prb', 'requests/:req', 'clients/:id', 'users/:id'];
    const showing = [...pages, ...details, 'api', 'connect'].map(name => `/dashboard/${name}`);
    expect(showing.filter(kind => shows.get(kind) !== true)).toEqual([]);
  });

  it('stays text in the answers of forms', async () => {
    const page = await newPage();
    const looks = async () => expect(await look(page)).toEqual({ foreign: [], shows: true });
    await page.goto(`${sandbox.url}/dashboard/decode`);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = `${part({ alg: script, kid: script, typ: script })}.${part({ [script]: script, iss: badAddresses[0] })}.x`;
    for (const pasted of [
      script,
      forged,
      `{"${forged}": ${script}`,
      JSON.stringify({ access_token: forged }),
      tokens.id_token,
    ]) {
      await page.goto(`${sandbox.url}/dashboard/decode`);
      await page.getByTestId('decode-input').fill(pasted);
      await page.getByTestId('decode-submit').click();
      await page.getByTestId('decode-clear').waitFor();
      await looks();
    }
    await page.goto(`${sandbox.url}/dashboard/requests/latest`);
    await page.getByTestId('replay-edit').click();
    await page.getByTestId('replay-path').fill(`/api/products?${script}`);
    await page.getByTestId('replay-headers').fill(`X-Evil: ${script}`);
    await page.getByTestId('replay-body').fill(script);
    await page.getByTestId('replay-send').click();
    await page.locator('#replay-problems').or(page.getByTestId('replay-of')).waitFor();
    await looks();
    await page.goto(`${sandbox.url}/dashboard/clients/frontend`);
    await page.getByTestId('clients-redirect_uris').fill(badAddresses.join('\n'));
    await page.getByTestId('clients-save').click();
    await page.getByTestId('clients-problem').first().waitFor();
    await looks();
    await page.goto(`${sandbox.url}/dashboard/users/${encodeURIComponent(mallory)}`);
    await page.getByTestId('users-claims').fill(`{"${script.replaceAll('"', '')}": ${script}`);
    await page.getByTestId('users-save').click();
    await page.getByTestId('users-problem').first().waitFor();
    await looks();
    await page.context().close();
  });

  it('stays text on the pages of users and their browsers', async () => {
    const page = await newPage();
    const looks = async () => expect(await look(page)).toEqual({ foreign: [], shows: true });
    const parameters = { state: script, nonce: script, login_hint: script, acr_values: script, ui_locales: script };
    await page.goto(authorizationUrl(sandbox, callback, { client_id: `unknown ${script}` }));
    await looks();
    for (const redirect_uri of badAddresses) {
      await page.goto(authorizationUrl(sandbox, callback, { redirect_uri }));
      expect((await look(page)).foreign).toEqual([]);
    }
    await page.goto(authorizationUrl(sandbox, callback, { ...parameters, prompt: 'login consent' }));
    await looks();
    await page.getByText('Someone else').click();
    await page.getByTestId('login-sub').fill('alice');
    await page.getByTestId('login-claims').fill(`{"${script}": ${script}`);
    await page.getByTestId('login-submit').click();
    await page.getByTestId('login-claims-problem').waitFor();
    await looks();
    await page.getByTestId(`login-user-${mallory}`).click();
    await page.getByTestId('consent-allow').waitFor();
    await looks();
    await page.goto(`${sandbox.url}/approvals`);
    await looks();
    const [device] = sandbox.events.latest('device.requested', 1);
    await page.goto(`${sandbox.url}/dashboard/requests/${device?.requestId}`);
    await page.getByTestId('event-decide').click();
    await page.getByTestId('device-allow').waitFor();
    await looks();
    await page.goto(
      `${sandbox.url}/connect/logout?post_logout_redirect_uri=${encodeURIComponent(badAddresses[0])}&state=${encodeURIComponent(script)}`,
    );
    await looks();
    await page.goto(`${sandbox.url}/connect/logout`);
    await looks();
    await page.getByTestId('logout-confirm').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect((await look(page)).foreign).toEqual([]);
    await page.context().close();
  });
});
