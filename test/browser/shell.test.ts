import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../../src/dashboard/navigation.ts';
import { all as extensions } from '../../src/extensions/all.ts';
import { observes } from '../observed.ts';
import { sensorToken } from '../support/authorization-url.ts';
import { openSite, type Site } from '../support/site.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

async function expectText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator(selector).first().textContent()).toMatch(text);
}

const isLive = (page: Page) => expectText(page, '#live', /^Live$/);

/** A request that is refused; gives its id. */
async function refused(secret = 'wrong'): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'sensor', client_secret: secret });
  const response = await fetch(`${stage.sandbox.url}/oauth2/token`, { method: 'POST', body });
  expect(response.status).toBe(401);
  return response.headers.get('X-Request-Id') ?? '';
}

const focusedRow = (page: Page) => page.evaluate(() => document.activeElement?.closest('tr')?.id ?? '');

describe('the palette', () => {
  it('leads to a page, a client and a recorded token by the keyboard alone', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard');
    const goTo = async (typed: string, first: string, address: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(typed);
      await expect.poll(() => page.locator('#palette li').first().textContent()).toContain(first);
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
    };
    await goTo('signing', 'Signing keys', /\/dashboard\/keys$/);
    await goTo('client sensor', 'sensor · ', /\/dashboard\/clients\/sensor$/);
    await goTo('access token sensor', 'access token', /\/dashboard\/tokens\/[^/]+$/);
  });
});

describe('an action of the palette', () => {
  async function openAt(path: string): Promise<{ page: Page; act(typed: string, name: string): Promise<void> }> {
    const page = await stage.openPage(path);
    return {
      page,
      async act(typed, name) {
        await page.waitForLoadState(); // text of a page is there before its script listens to keys
        await page.keyboard.press('Control+k');
        await page.keyboard.type(typed);
        await expect.poll(() => page.locator('#palette li').first().textContent()).toContain(name);
        await page.keyboard.press('Enter');
      },
    };
  }
  const mint = (user: string) => stage.sandbox.issueToken({ client: 'frontend', user });

  it('mints a token for a user, and shows it', async () => {
    const { page, act } = await openAt('/dashboard');
    await act('mint alice', 'Mint a token for alice');
    await page.waitForURL(/\/dashboard\/tokens\/tok_/);
    expect(stage.sandbox.events.latest('token.issued', 1)).toMatchObject([{ sub: 'alice', client_id: 'frontend' }]);
  });

  it('lets the token endpoint fail once', async () => {
    const { page, act } = await openAt('/dashboard');
    await act('fail once', 'Fail the token endpoint once');
    await page.getByTestId('faults-done').waitFor();
    expect(await stage.sandbox.faults.list()).toMatchObject([{ fault: 'unavailable', endpoint: 'token', times: 1 }]);
  });

  it('expires all access tokens, and says on the same page how many', async () => {
    await mint('alice');
    await mint('bob');
    const { page, act } = await openAt('/dashboard/requests?q=status:200');
    await act('expire', 'Expire all access tokens');
    await expectText(page, '[data-testid=shell-told]', /^2 access tokens are expired: this server/);
    expect(page.url()).toContain('/dashboard/requests?q=status');
    await act('expire', 'Expire all access tokens');
    await expectText(page, '[data-testid=shell-told]', /^No access token was valid/);
  });

  it('switches the theme on this page', async () => {
    const { page, act } = await openAt('/dashboard/keys');
    await act('dark', 'Dark theme');
    await page.locator('html[data-theme=dark]').waitFor();
    await act('light', 'Light theme');
    await page.locator('html[data-theme=light]').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
  });

  it('asks before it resets everything', async () => {
    await mint('alice');
    const { page, act } = await openAt('/dashboard');
    await act('reset', 'Reset everything…');
    await page.waitForURL('**/settings/reset');
    expect(stage.sandbox.events.count('token.issued')).toBe(1);
    await page.getByTestId('settings-reset-confirm').click();
    await page.getByTestId('settings-done').waitFor();
    expect(stage.sandbox.events.count('token.issued')).toBe(0);
  });

  it('copies the newest access token', async () => {
    await mint('alice');
    await mint('bob');
    await stage.profile({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, act } = await openAt('/dashboard');
    const [newest] = stage.sandbox.events.latestIssued(1);
    await act('copy', 'Copy newest access token');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(newest?.token);
    await expectText(page, '#announce', 'Copied the newest access token.');
  });

  it('explains the newest problem', async () => {
    await refused();
    const { page, act } = await openAt('/dashboard');
    await act('explain', 'Explain newest problem');
    await page.waitForURL('**/dashboard/problems/prb_*');
  });

  it('is refused where the dashboard only shows', async () => {
    await stage.restart({ dashboard: 'readonly' });
    await mint('alice');
    const { page } = await openAt('/dashboard/keys');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('mint alice');
    await expectText(page, '#palette li', 'Mint a token for alice refused: read-only');
    await page.keyboard.press('Enter');
    expect(await page.locator('#palette li :is(a, button)').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/dashboard/keys');
  });
});

describe('a row of the palette', () => {
  it('is each of the five pages that were visited last, before anything is typed', async () => {
    const page = await stage.openPage('/dashboard/clients/frontend');
    const goTo = (path: string) => page.goto(`${stage.sandbox.url}/dashboard${path}`);
    for (const path of ['/keys', '/nowhere', '/clock', '/requests', '/clock', '/users', '/decode', '/faults']) {
      await goTo(path);
      await page.locator('#palette').waitFor({ state: 'attached' });
    }
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.locator('#palette li').filter({ hasText: 'visited' }).allTextContents())
      .toEqual(['Decode visited', 'Users visited', 'Clock visited', 'Requests visited', 'Signing keys visited']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/decode');
  });

  it('searches the requests for a text that nothing has', async () => {
    const page = await stage.openPage('/dashboard');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('trace-4711');
    await expectText(page, '#palette li', /^Search all requests for “trace-4711” ↵$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/requests?q=trace-4711');
  });
});

describe('the palette on a narrow window', () => {
  it('opens from a button in the bar, and says how many results there are', async () => {
    const page = await stage.openPage('/dashboard', { viewport: { width: 360, height: 740 } });
    expect(await page.getByTestId('shell-find').isVisible()).toBe(false);
    await page.getByTestId('shell-find-open').click();
    const count = page.getByTestId('palette-count');
    expect(await count.getAttribute('aria-live')).toBe('polite');
    await page.keyboard.type('signing keys');
    await expect.poll(() => count.textContent()).toBe('1 match');
    await page.keyboard.type(' of nobody');
    await expect.poll(() => count.textContent()).toBe('No match');
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('palette').isVisible()).toBe(false);
  });

  it('leads to the requests without scripts', async () => {
    const options = { viewport: { width: 360, height: 740 }, javaScriptEnabled: false };
    const page = await stage.openPage('/dashboard', options);
    await page.getByTestId('shell-find-open').click();
    await page.waitForURL('**/dashboard/requests');
  });
});

describe('the keyboard', () => {
  it('goes from row to row, opens one, and comes back to it', async () => {
    for (let count = 0; count < 3; count++) await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/list');
    const ids = await page.locator('tbody tr').evaluateAll(rows => rows.map(row => row.id));
    for (const expected of [ids[0], ids[1], ids[2], ids[2]]) {
      await page.keyboard.press('j');
      expect(await focusedRow(page)).toBe(expected);
    }
    await page.keyboard.press('k');
    expect(await focusedRow(page)).toBe(ids[1]);
    for (const back of ['u', 'Escape']) {
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/${ids[1]}`);
      await page.keyboard.press(back);
      await page.waitForURL('**/dashboard/tokens/list');
      await expect.poll(() => focusedRow(page)).toBe(ids[1]);
    }
  });

  it('leads to the filter, and types into it without any other effect', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/requests');
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('q');
    await page.keyboard.type('gt?j u');
    expect(await page.getByTestId('filter-input').inputValue()).toBe('gt?j u');
    expect(await page.getByTestId('keys-dialog').isVisible()).toBe(false);
  });

  it('goes with g and its key to each page, and lists these keys with the names of the pages', async () => {
    const page = await stage.openPage('/dashboard/api');
    const ofCore = Object.entries(pages).map(([entry, page]) => ({
      ...page,
      path: entry === 'home' ? '/dashboard' : `/dashboard/${entry}`,
    }));
    const added = extensions.flatMap(({ pages: own = [] }) =>
      own.flatMap(({ path, entry }) => (entry === undefined ? [] : { ...entry, path })),
    );
    const all = [...ofCore, ...added];
    for (const { key, name, path } of all) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.waitForURL(stage.sandbox.url + path);
      const row = page.locator('.keys > div').filter({ has: page.locator(`dd > a:text-is("${name}")`) });
      expect((await row.locator('dt').textContent())?.replace(/\s+/g, ' ')).toBe(`g ${key}`);
    }
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });

  it('lists its keys, which can be closed again, and has a button for it', async () => {
    const page = await stage.openPage('/dashboard');
    const dialog = page.getByTestId('keys-dialog');
    await page.keyboard.press('?');
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
    await page.getByTestId('shell-keys').click();
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    await page.getByTestId('keys-close').click();
    expect(await dialog.isVisible()).toBe(false);
  });

  it('copies the main thing of a page', async () => {
    await sensorToken(stage.sandbox);
    await stage.profile({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await stage.openPage('/dashboard/requests/latest');
    await page.keyboard.press('y');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*\/oauth2\/token/);
  });

  it('opens and closes all parts of a page, and goes to its actions', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/requests/latest');
    const open = () => page.locator('main details[open]').count();
    await page.keyboard.press(']');
    expect(await open()).toBe(await page.locator('main details').count());
    await page.keyboard.press('[');
    expect(await open()).toBe(0);
    await page.keyboard.press('.');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Copy as curl');
  });

  it('pauses a list with Space, where Space has nothing else to press', async () => {
    const page = await stage.openPage('/dashboard/requests');
    await isLive(page);
    await page.keyboard.press('Space');
    await expectText(page, '#live', /^Paused$/);
    await sensorToken(stage.sandbox);
    await expectText(page, '#show-new', /^1 new/);
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('tbody tr[data-n]').count()).toBe(1);
    await isLive(page);
  });

  it('does nothing with Ctrl, and nothing at all where it is turned off', async () => {
    const page = await stage.openPage('/dashboard');
    await page.keyboard.press('Control+/');
    await page.evaluate(() => document.body.setAttribute('data-keys', 'off'));
    for (const key of ['?', 'g', 't']) await page.keyboard.press(key);
    expect(await page.getByTestId('keys-dialog').isVisible()).toBe(false);
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  });
});

describe('the live lists', () => {
  it.each(['/dashboard/requests', '/dashboard/problems', '/dashboard/flows'])(
    '%s grows in two tabs without a reload',
    async path => {
      const tabs = [await stage.openPage(path), await stage.openPage(path)];
      for (const tab of tabs) await isLive(tab);
      await refused();
      for (const tab of tabs) await expect.poll(() => tab.locator('tbody tr').count()).toBe(1);
      for (const tab of tabs) await expectText(tab, '#count-problems', /^1$/);
    },
  );

  it('shows each token that is issued while it is open', async () => {
    const page = await stage.openPage('/dashboard/tokens/list');
    await isLive(page);
    for (let count = 0; count < 20; count++) {
      await sensorToken(stage.sandbox);
      await page.waitForTimeout(120 + count * 7);
    }
    await expect.poll(() => page.locator('tbody tr').count()).toBe(20);
    const shown = await page.locator('tbody tr').evaluateAll(rows => rows.map(row => row.id));
    expect(shown.toSorted()).toEqual(
      stage.sandbox.events
        .latestIssued(20)
        .map(({ tokenId }) => tokenId)
        .toSorted(),
    );
  });

  it('loads in twenty tabs, and all of them hear', async () => {
    const tabs: Page[] = [];
    for (let count = 0; count < 20; count++) tabs.push(await stage.openPage('/dashboard/requests'));
    await Promise.all(tabs.map(isLive));
    await sensorToken(stage.sandbox);
    await Promise.all(tabs.map(tab => tab.locator('tbody tr[data-n]').waitFor()));
  });

  it('announces new entries to screen readers in one line', async () => {
    const page = await stage.openPage('/dashboard/requests');
    await isLive(page);
    await sensorToken(stage.sandbox);
    await refused();
    await expectText(page, '#announce', '1 new token, 1 refusal');
    expect(await page.locator('[role=status]').count()).toBe(1);
  });

  it('stays readable when the sandbox is gone, and says how to start it', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/requests');
    await isLive(page);
    await stage.sandbox.stop();
    await expectText(page, '#live', /^Reconnecting$/);
    await expectText(page, '#disconnected', /docker start .* npx grantbox/);
    expect(await page.locator('#disconnected').isVisible()).toBe(true);
    expect(await page.locator('tbody tr[data-n]').count()).toBe(1);
    await page.close();
    stage.browser.takeTroubles(); // the refused connection, in Chromium's words
  });
});

describe('the shell', () => {
  it('says in title, icon and navigation that there is a problem nobody has seen', async () => {
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    const host = new URL(stage.sandbox.url).host;
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    expect(await page.title()).toBe(`Tokens · ${host}`);
    await refused();
    await expect.poll(() => page.title()).toBe(`(1) Tokens · ${host}`);
    expect(await icon()).toMatch(/\/dashboard\/favicon\.svg\?dot=1$/);
    expect(await page.locator('#count-problems.unseen').count()).toBe(1);
    await page.reload();
    expect(await page.title()).toBe(`(1) Tokens · ${host}`);
    expect(await icon()).toMatch(/\?dot=1$/);

    const other = await stage.openPage('/dashboard/problems');
    await other.goto(`${stage.sandbox.url}/dashboard/clients`);
    await expect.poll(() => page.title()).toBe(`Tokens · ${host}`);
    expect(await icon()).toMatch(/favicon\.svg$/);
  });

  it('begins with the page soon, and shows the label', async () => {
    observes('setting label');
    await stage.restart({ label: 'team b' });
    const page = await stage.openPage('/dashboard/tokens', { viewport: { width: 1280, height: 800 } });
    expect(await page.getByTestId('shell-label').textContent()).toBe('team b');
    expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(130);
  });

  it('has a row at the top, its entries at the bottom and its tools in a menu on a phone', async () => {
    const page = await stage.openPage('/dashboard/api', { viewport: { width: 375, height: 760 } });
    await isLive(page);
    expect((await page.locator('.top').boundingBox())?.height).toBeLessThan(50);
    expect(await page.locator('.issuer .button').textContent()).toBe('Copy issuer');
    for (const entry of ['home', 'requests', 'flows', 'problems', 'clients', 'lessons']) {
      const box = await page.getByTestId(`nav-${entry}`).boundingBox();
      expect(box?.x, entry).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0), entry).toBeLessThanOrEqual(375);
      expect(box?.y, entry).toBeGreaterThan(700);
    }
    await page.getByTestId('shell-menu').click();
    await page.getByRole('link', { name: 'Signing keys' }).click();
    await page.waitForURL('**/dashboard/keys');
  });

  it('fits into a laptop without scrolling, also with its tools open', async () => {
    const page = await stage.openPage('/dashboard', { viewport: { width: 1280, height: 800 } });
    expect(await page.getByTestId('nav-settings').isVisible()).toBe(false);
    await page.getByTestId('shell-tools').click();
    const side = page.locator('.side');
    expect(await side.evaluate(each => each.scrollHeight - each.clientHeight)).toBe(0);
    const box = await page.getByTestId('shell-dark').boundingBox();
    expect((box?.y ?? 800) + (box?.height ?? 0)).toBeLessThan(800);
  });

  it('remembers that its tools are open', async () => {
    const page = await stage.openPage('/dashboard');
    const told = () => page.waitForResponse('**/dashboard/settings/display');
    const [opened] = await Promise.all([told(), page.getByTestId('shell-tools').click()]);
    expect(opened.status()).toBe(303);
    await page.getByTestId('nav-problems').click();
    await page.waitForURL('**/problems');
    expect(await page.getByTestId('nav-clock').isVisible()).toBe(true);
    await Promise.all([told(), page.getByTestId('shell-tools').click()]);
    await page.reload();
    expect(await page.getByTestId('nav-clock').isVisible()).toBe(false);
  });

  it('opens its tools when a fault is armed, and says how many are', async () => {
    const page = await stage.openPage('/dashboard');
    await isLive(page);
    await stage.sandbox.faults.arm({ fault: 'unavailable', endpoint: 'token' });
    await expectText(page, '#count-faults', /^1$/);
    expect(await page.getByTestId('nav-faults').isVisible()).toBe(true);
  });

  it('switches the theme with one press, which the next page has, too', async () => {
    const page = await stage.openPage('/dashboard', { colorScheme: 'light' });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    const told = page.waitForResponse('**/dashboard/settings/display');
    await page.getByTestId('shell-dark').click();
    expect(await background()).not.toBe(light);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Light theme');
    await told;
    await page.reload();
    expect(await background()).not.toBe(light);
    await page.getByTestId('shell-light').click();
    expect(await background()).toBe(light);
  });

  it('switches the theme without scripts, and stays on the page', async () => {
    const page = await stage.openPage('/dashboard/tokens?q=user:bob', {
      javaScriptEnabled: false,
      colorScheme: 'dark',
    });
    await page.getByTestId('shell-light').click();
    await page.waitForURL('**/dashboard/tokens?q=user:bob');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await page.getByTestId('shell-dark').isVisible()).toBe(true);
  });

  it('begins at its top in a low window, with the entry of the page in sight', async () => {
    const page = await stage.openPage('/dashboard/settings', { viewport: { width: 1280, height: 600 } });
    await isLive(page);
    expect(await page.evaluate('scrollY')).toBe(0);
    const box = await page.getByTestId('nav-settings').boundingBox();
    expect((box?.y ?? 600) + (box?.height ?? 0)).toBeLessThanOrEqual(600);
  });

  it('says that it only shows', async () => {
    await stage.restart({ dashboard: 'readonly' });
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/requests/latest');
    expect(await page.getByTestId('shell-readonly').textContent()).toBe('Read-only');
    expect(await page.locator('main form[method=post]').count()).toBe(0);
  });
});

describe('a filter', () => {
  it('completes the typed term, and keeps the terms before it', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens');
    const options = () =>
      page.locator('#filter-terms option').evaluateAll(all => all.map(each => (each as HTMLOptionElement).value));
    expect(await options()).toContain('client:sensor');
    await page.getByTestId('filter-input').pressSequentially('type:access -cli');
    expect(await options()).toContain('type:access -client:sensor');
  });

  it('takes a value of the request in the pane with one click, and says which operator it does not know', async () => {
    await sensorToken(stage.sandbox);
    const open = stage.sandbox.events.latest('request.completed', 1)[0]?.requestId;
    const page = await stage.openPage(`/dashboard/requests?open=${open}`, { javaScriptEnabled: false });
    await page.getByTestId('pane-filters').getByRole('link', { name: 'client:sensor' }).click();
    await page.waitForURL('**/dashboard/requests?q=client%3Asensor');
    expect(await page.locator('tbody tr[data-n]').count()).toBe(1);
    await page.getByTestId('filter-input').fill('header.content-type:urlencoded');
    await page.keyboard.press('Enter');
    await page.waitForURL(/urlencoded/);
    expect(await page.locator('tbody tr[data-n]').count()).toBe(1);
    await page.getByTestId('filter-input').fill('hedaer.x:1');
    await page.keyboard.press('Enter');
    await page.getByTestId('filter-problem').waitFor();
    expect(await page.getByTestId('filter-problem').textContent()).toMatch(
      /^Unknown operator hedaer\.x:\. .*Nothing is shown\.$/,
    );
    expect(await page.locator('tbody tr').count()).toBe(0);
  });

  it('is cleared with one click', async () => {
    const page = await stage.openPage('/dashboard/requests?q=status:500');
    await page.getByTestId('filter-clear').click();
    await page.waitForURL('**/dashboard/requests');
  });
});

describe('with scripts off', () => {
  const options = { javaScriptEnabled: false };

  it('a request is read, sent again as it was, and sent again with a change', async () => {
    const id = await refused();
    const page = await stage.openPage(`/dashboard/requests/${id}`, options);
    expect(await page.getByTestId('requests-request').textContent()).toContain('client_credentials');
    expect(await page.getByTestId('requests-response').textContent()).toContain('invalid_client');
    await page.getByTestId('replay-again').click();
    expect(await page.getByTestId('replay-of').textContent()).toContain(id);
    expect(await page.getByTestId('problem-code').textContent()).toBe('invalid_client');

    await page.getByTestId('replay-edit').click();
    await page.getByTestId('replay-body').fill('grant_type=client_credentials');
    const authorization = `Authorization: Basic ${btoa('sensor:sensor-secret')}`;
    const headers = await page.getByTestId('replay-headers').inputValue();
    await page.getByTestId('replay-headers').fill(`${headers}\n${authorization}`);
    await page.getByTestId('replay-send').click();
    expect(await page.locator('main').textContent()).toContain('HTTP 200');
    await page.goto(`${stage.sandbox.url}/dashboard/requests/${id}`);
    expect(await page.getByTestId('replay-list').getByRole('link').count()).toBe(1);
  });

  it('secrets are hidden with one click', async () => {
    const id = await refused('my-wrong-secret');
    const page = await stage.openPage(`/dashboard/requests/${id}`, options);
    expect(await page.content()).toContain('my-wrong-secret');
    await page.getByTestId('requests-hide').click();
    expect(await page.content()).not.toContain('my-wrong-secret');
  });

  it('the API is called with a token and without one', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/api', options);
    await page.getByTestId('api-endpoints').getByRole('link', { name: '/api/telemetry', exact: false }).first().click();
    expect(await page.getByTestId('api-endpoint').inputValue()).toBe('telemetry-create');
    await page.getByTestId('api-send').click();
    expect(await page.getByTestId('api-status').textContent()).toBe('201');
    await page.getByTestId('api-body').fill(JSON.stringify({ sensor: 'a word '.repeat(800), metric: 'm', value: 1 }));
    await page.getByTestId('api-send').click();
    const answer = page.getByRole('group', { name: 'the response' });
    const box = await answer.evaluate(({ scrollHeight, clientHeight, tabIndex }) => ({
      scrolls: scrollHeight > clientHeight,
      isLow: clientHeight <= 480,
      tabIndex,
    }));
    expect(box).toEqual({ scrolls: true, isLow: true, tabIndex: 0 });
    await page.getByTestId('api-token').selectOption('');
    await page.getByTestId('api-send').click();
    expect(await page.getByTestId('api-status').textContent()).toBe('401');
    expect(await page.getByTestId('api-challenge').textContent()).toMatch(/^Bearer /);
    await page.getByTestId('api-endpoint').selectOption('products-list');
    await page.getByTestId('api-token').selectOption({ index: 1 });
    await page.getByTestId('api-send').click();
    expect(await page.getByTestId('api-status').textContent()).toBe('403');
    expect(await page.getByTestId('api-refusal').textContent()).toContain('products:read');
    expect(await page.getByTestId('api-calls').locator('tbody tr').count()).toBe(4);
    await page.getByTestId('api-request').click();
    await page.waitForURL('**/dashboard/requests/req_*');
  });
});

describe('a page of another origin', () => {
  it('reads the event stream where that is allowed, and nowhere else', async () => {
    observes('setting dashboardAllowedOrigins');
    const hear = async () => {
      const page = await (await stage.profile()).newPage();
      await page.goto(site.origin);
      const heard = page.evaluate(
        address =>
          new Promise<string>(resolve => {
            const stream = new EventSource(address);
            stream.addEventListener('token', () => resolve('token'));
            stream.onerror = () => resolve('refused');
          }),
        `${stage.sandbox.url}/dashboard/api/v1/events?after=0`,
      );
      const result = await heard;
      await page.context().close();
      return result;
    };
    await sensorToken(stage.sandbox);
    expect(await hear()).toBe('refused');
    stage.browser.takeTroubles(); // CORS, in Chromium's words
    await stage.restart({ dashboardAllowedOrigins: [site.origin] });
    await sensorToken(stage.sandbox);
    expect(await hear()).toBe('token');
  });
});
