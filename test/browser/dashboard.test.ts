import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorizationUrl, redeemCode, refresh, sensorToken, type Tokens } from '../support/authorization-url.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const app = setApplication(stage);

/** An application's login with a click, in the browser, up to its tokens. */
async function logIn(
  page: Page,
  parameters: Record<string, string> = {},
  button = 'login-user-alice',
): Promise<Tokens> {
  await page.goto(authorizationUrl(stage.sandbox, app.callback, parameters));
  await page.getByTestId(button).click();
  await page.waitForURL(`${app.callback}?*`);
  return redeemCode(stage.sandbox, app.callback, new URL(page.url()).searchParams.get('code') ?? '');
}

type IssuedType = 'code' | 'access' | 'refresh' | 'id';

/** The newest of its type. */
function issuedId(type: IssuedType): string {
  const events = [...stage.sandbox.events.latestIssued(100)];
  const found = events.find(event => (event.type === 'code.issued' ? 'code' : event.tokenType) === type);
  return found?.tokenId ?? `no ${type} was issued`;
}

async function expectText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator(selector).first().textContent()).toMatch(text);
}

async function isLive(page: Page): Promise<void> {
  await expectText(page, '#live', /^Live$/);
}

describe('the first run', () => {
  it('goes from the address to a decoded token with one click', async () => {
    const page = await stage.openPage('/');
    expect(new URL(page.url()).pathname).toBe('/dashboard');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Ready. Waiting for your app.');
    await page.getByRole('link', { name: 'Sign in as Alice now' }).click();
    await page.waitForURL('**/dashboard/tokens/tok_*');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Access token for alice');
    const claims = page.locator('.claim-list').first();
    expect(await claims.locator('summary:has(.claim-name:text-is("sub")) .claim-value').textContent()).toBe('alice');
    expect(await claims.locator('summary:has(.claim-name:text-is("iss")) .claim-value').textContent()).toBe(
      stage.sandbox.issuer,
    );
    expect(await page.locator('.checks').textContent()).toMatch(/pass\s*signature RS256, verified with key/);
    expect(await page.locator('.checks').textContent()).not.toContain('fail');
  });

  it('says in its snippets where it really is', async () => {
    const page = await stage.openPage('/dashboard');
    expect(await page.locator('#issuer').textContent()).toBe(stage.sandbox.issuer);
    for (const snippet of await page.locator('.panel pre').allTextContents())
      expect(snippet).toContain(stage.sandbox.issuer);
  });

  it('shows each snippet on one click, and with scripts off', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await stage.openPage('/dashboard', { javaScriptEnabled });
      await page.getByTestId('home-code').locator('summary').click();
      const tabs = page.locator('.tabs label');
      for (let index = 0; index < (await tabs.count()); index++) {
        await tabs.nth(index).click();
        expect(await page.locator('.panel:visible').count()).toBe(1);
      }
      await page.context().close();
    }
  });

  it('copies each value that an app needs', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await stage.openPage('/dashboard', { permissions });
    for (const [name, text] of [
      ['Issuer', stage.sandbox.issuer],
      ['Client ID', 'frontend'],
      ['Redirect URI', 'http://localhost:3000/callback'],
    ] as const) {
      await page.getByRole('button', { name: `Copy ${name}`, exact: true }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
  });

  it('fills the circles live, and leaves the code open that somebody reads', async () => {
    const page = await stage.openPage('/dashboard');
    await isLive(page);
    await expectText(page, '.circles .now', 'Finds the server');
    await page.getByTestId('home-code').locator('summary').click();
    await page.locator('label[for="tab-node"]').click();
    await fetch(`${stage.sandbox.url}/.well-known/openid-configuration`);
    await expectText(page, '.circles .done', 'Finds the server');
    await expectText(page, '.circles .now', 'Sends the user');
    expect(await page.locator('#panel-node').isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await sensorToken(stage.sandbox);
    await expectText(page, '.token-access .token-of', 'Demo');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Home');
  });

  it('shows a refusal, live, and stays connected', async () => {
    const page = await stage.openPage('/dashboard');
    await isLive(page);
    await fetch(authorizationUrl(stage.sandbox, app.callback, { client_id: 'nobody' }));
    await expectText(page, '.refusal-head code', 'invalid_request');
    await isLive(page);
    expect(await page.getByTestId('home-comparison').locator('.sent').textContent()).toContain('nobody');
    await page.getByTestId('home-explain').click();
    await page.waitForURL('**/dashboard/problems/*');
    expect(await page.getByTestId('problem-code').textContent()).toBe('invalid_request');
  });

  it('shows a denied demo login on a separate page', async () => {
    const page = await stage.openPage('/dashboard/demo');
    await page.getByTestId('login-deny').click();
    await page.waitForURL('**/dashboard/demo/callback?*');
    expect(await page.getByTestId('problem-code').textContent()).toBe('access_denied');
  });
});

describe('the list of tokens', () => {
  it('grows in two tabs without a reload', async () => {
    const tabs = [await stage.openPage('/dashboard/tokens'), await stage.openPage('/dashboard/tokens')];
    for (const tab of tabs) {
      await isLive(tab);
      await tab.evaluate(() => document.body.setAttribute('data-same', ''));
      expect(await tab.locator('#empty').isVisible()).toBe(true);
    }
    await sensorToken(stage.sandbox);
    for (const tab of tabs) {
      await tab.locator(`#${issuedId('access')}`).waitFor();
      await expectText(tab, '#count-tokens', /^1$/);
      expect(await tab.locator('#empty').count()).toBe(0);
    }
    await sensorToken(stage.sandbox, '');
    for (const tab of tabs) {
      await tab.locator(`#${issuedId('access')}`).waitFor();
      expect(await tab.locator('tbody tr').count()).toBe(2);
      expect(await tab.locator('body[data-same]').count()).toBe(1);
    }
  });

  it('is paused in one tab, and resumes where it stopped', async () => {
    const [paused, running] = [await stage.openPage('/dashboard/tokens'), await stage.openPage('/dashboard/tokens')];
    for (const tab of [paused, running]) await isLive(tab);
    await paused.locator('#pause').click();
    expect(await paused.locator('#pause').getAttribute('aria-pressed')).toBe('true');
    await sensorToken(stage.sandbox);
    await running.locator('tbody tr').waitFor();
    await expectText(paused, '#show-new', /^1 new/);
    await sensorToken(stage.sandbox);
    await expectText(paused, '#show-new', /^2 new/);
    expect(await paused.locator('tbody tr').count()).toBe(0);
    await paused.locator('#pause').click();
    await expect.poll(() => paused.locator('tbody tr').count()).toBe(2);
    expect(await paused.locator('#show-new').isVisible()).toBe(false);
  });

  it('does not move under a pointer or a focus', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    await page.locator('tbody a').first().focus();
    await sensorToken(stage.sandbox);
    await expectText(page, '#show-new', /^1 new/);
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.locator('#show-new').click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
  });

  it('says how many rows are new, and keeps that in view while the list is scrolled', async () => {
    for (let n = 0; n < 40; n++) await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/requests');
    await isLive(page);
    await page.evaluate(() => scrollTo({ top: 600 }));
    for (let n = 0; n < 100; n++) await sensorToken(stage.sandbox);
    await expectText(page, '#show-new', /^100 new/);
    const box = await page.locator('#show-new').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(200);
    await page.locator('#show-new').click();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    expect(await page.locator('#show-new').isVisible()).toBe(false);
  });

  it('adds only rows that match the filter', async () => {
    const page = await stage.openPage('/dashboard/tokens?q=type:access+client:sensor+-scope:');
    await isLive(page);
    await sensorToken(stage.sandbox);
    await sensorToken(stage.sandbox, '');
    await page.locator(`#${issuedId('access')}`).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
  });

  it('shows the new status of a used token', async () => {
    const page = await stage.openPage('/dashboard/tokens/list');
    const { refresh_token } = await logIn(page);
    await page.goto(`${stage.sandbox.url}/dashboard/tokens/list`);
    await isLive(page);
    const first = issuedId('refresh');
    await expectText(page, `#${issuedId('code')} .status`, /^used$/);
    await expectText(page, `#${first} .status`, /left/);
    await refresh(stage.sandbox, refresh_token);
    await page.locator(`#${issuedId('refresh')}`).waitFor();
    await expectText(page, `#${first} .status`, /^replaced$/);
  });

  it('is filtered with scripts off, and a pasted token opens', async () => {
    const page = await stage.openPage('/dashboard', { javaScriptEnabled: false });
    const tokens = await logIn(page);
    await sensorToken(stage.sandbox);
    await page.goto(`${stage.sandbox.url}/dashboard/tokens/list`);
    expect(await page.locator('tbody tr').count()).toBe(5);
    await page.getByTestId('filter-input').fill('user:alice type:access claim.roles:admin');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL('**/dashboard/tokens/list?q=*');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: 'Codes' }).click();
    await page.waitForURL(/type%3Acode/);
    expect(await page.locator('tbody .type').allTextContents()).toEqual([]);
    await page.getByTestId('filter-input').fill('colour:red');
    await page.keyboard.press('Enter');
    await expectText(page, '.notice:not([hidden])', 'Unknown operator colour:');
    expect(await page.locator('tbody tr').count()).toBe(0);
    await page.getByTestId('filter-input').fill(tokens.id_token);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/dashboard/tokens/${issuedId('id')}`);
  });

  it('loads in nine tabs, with one stream for all of them, which outlives its tab', async () => {
    const context = await stage.profile();
    const streams: string[] = [];
    context.on('request', request => {
      if (new URL(request.url()).pathname === '/dashboard/api/v1/events') streams.push(request.url());
    });
    const tabs: Page[] = [];
    for (let count = 0; count < 9; count++) tabs.push(await stage.openPage('/dashboard/tokens'));
    await Promise.all(tabs.map(isLive));
    await sensorToken(stage.sandbox);
    await Promise.all(tabs.map(tab => tab.locator('tbody tr').waitFor()));
    expect(streams).toHaveLength(1);

    await tabs.shift()?.close();
    await expect.poll(() => streams.length).toBe(2);
    await sensorToken(stage.sandbox);
    await Promise.all(tabs.map(tab => expect.poll(() => tab.locator('tbody tr').count()).toBe(2)));
    expect(streams).toHaveLength(2);
  });

  it('says when the sandbox is gone, and when the history was cleared', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    await page.locator('#pause').click();
    await stage.sandbox.reset();
    await expectText(page, '#show-new', /reload/);
    await stage.sandbox.stop();
    await expectText(page, '#live', /^Reconnecting$/);
    expect(await page.locator('#disconnected').isVisible()).toBe(true);
    await page.close();
    stage.browser.takeTroubles(); // the refused connection, in Chromium's words
  });
});

describe('a token page', () => {
  it('puts the token, and a working curl, into the clipboard', async () => {
    await stage.profile({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await stage.openPage('/dashboard');
    const { access_token } = await logIn(page);
    await page.goto(`${stage.sandbox.url}/dashboard/tokens/${issuedId('access')}`);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy token' }).click();
    await expect.poll(clipboard).toBe(access_token);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect.poll(clipboard).toMatch(/^curl /);
    expect(await clipboard()).toContain(access_token);
    expect(await clipboard()).toContain(`${stage.sandbox.issuer}/api/products`);
  });

  it('shows a curl the sample API takes: an example for a collection without rows', async () => {
    const token = await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/latest');
    const command = (await page.locator('#copy-curl').textContent()) ?? '';
    const [, body = ''] = /-d '(.*?)' '/.exec(command) ?? [];
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${stage.sandbox.url}/api/telemetry`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  });

  it('is reached from latest', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/latest');
    expect(new URL(page.url()).pathname).toBe(`/dashboard/tokens/${issuedId('access')}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Access token for client sensor');
  });

  it('links its whole family: code, access token, refresh token and refreshed tokens', async () => {
    const page = await stage.openPage('/dashboard');
    const { refresh_token } = await logIn(page);
    const [code, refreshed] = [issuedId('code'), issuedId('refresh')];
    await refresh(stage.sandbox, refresh_token);
    await page.goto(`${stage.sandbox.url}/dashboard/tokens/${issuedId('access')}`);
    const family = page.getByTestId('token-family');
    expect(await family.locator('[aria-current]').allTextContents()).toEqual([issuedId('access')]);
    await family.getByRole('link', { name: refreshed }).click();
    await page.waitForURL(`**/${refreshed}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Refresh token for alice');
    expect(await page.locator('.token-head .status').textContent()).toBe('replaced');
    await family.getByRole('link', { name: code }).click();
    await page.waitForURL(`**/${code}`);
    expect(await page.locator('.token-head .status').textContent()).toBe('used');
    expect(await page.locator('main').textContent()).toContain(app.callback);
  });

  it('leads to the request that produced it', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/latest');
    await page.locator('main a[href^="/dashboard/requests/"]').click();
    await page.waitForURL('**/dashboard/requests/req_*');
    expect(await page.locator('.timeline').textContent()).toContain('sensor');
    await page
      .locator(`a[href="/dashboard/tokens/${issuedId('access')}"]`)
      .first()
      .click();
    await page.waitForURL(`**/${issuedId('access')}`);
  });

  it('explains a refusal at the address the client was given as error_uri', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'wrong' });
    const response = await fetch(`${stage.sandbox.url}/oauth2/token`, { method: 'POST', body });
    const { error_uri } = (await response.json()) as Record<string, string>;
    const page = await stage.openPage(new URL(error_uri ?? '').pathname);
    expect(await page.locator('main').textContent()).toContain('invalid_client');
    expect(await page.getByTestId('problem-why').textContent()).not.toBe('');
    expect(await page.getByRole('heading', { name: 'Fix it' }).isVisible()).toBe(true);
  });

  it.each(['/dashboard/tokens/tok_nothing', '/dashboard/requests/req_nothing', '/dashboard/nowhere'])(
    'answers 404 in words at %s',
    async path => {
      const page = await (await stage.profile()).newPage();
      const response = await page.goto(stage.sandbox.url + path);
      expect(response?.status()).toBe(404);
      expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
      expect(await page.getByRole('navigation').isVisible()).toBe(true);
    },
  );
});

describe('on a phone', () => {
  it('has a header of two rows at most, whatever the sandbox is called', async () => {
    await stage.restart({ label: 'a label that is rather long' });
    const page = await stage.openPage('/dashboard', { viewport: { width: 320, height: 800 } });
    await isLive(page);
    for (const [width, height] of [
      [320, 80],
      [360, 80],
      [600, 50],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      expect((await page.locator('.top').boundingBox())?.height).toBeLessThan(height);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    await stage.sandbox.stop();
    await expectText(page, '#live', /^Reconnecting$/);
    expect((await page.locator('.top').boundingBox())?.height).toBeLessThan(80);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.close();
    stage.browser.takeTroubles(); // the refused connection, in Chromium's words
  });

  it('fills each line of a raw token, hyphens or not', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/latest', { viewport: { width: 360, height: 800 } });
    await page.locator('.show-all summary').click();
    const widths = await page.locator('#token').evaluate(element => {
      const lines = new Map<number, number>();
      const range = document.createRange();
      range.selectNodeContents(element);
      for (const { top, right } of range.getClientRects()) lines.set(top, Math.max(lines.get(top) ?? 0, right));
      return [...lines.values()].slice(0, -1);
    });
    expect(widths.length).toBeGreaterThan(5);
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(2);
  });
});

describe('with scripts off', () => {
  it('everything can be read, and no button is there that would do nothing', async () => {
    const page = await stage.openPage('/dashboard', { javaScriptEnabled: false });
    await page.getByTestId('home-demo').click();
    await page.waitForURL('**/dashboard/tokens/tok_*');
    expect(await page.locator('.claim-list').first().textContent()).toContain('alice');
    expect(await page.locator('.checks').textContent()).toContain('signature RS256');
    expect(await page.locator('#token').isVisible()).toBe(true);
    for (const path of ['/dashboard', '/dashboard/tokens', new URL(page.url()).pathname]) {
      await page.goto(stage.sandbox.url + path);
      const idle = await page
        .locator('button:visible')
        .evaluateAll(all =>
          all.filter(each => (each as HTMLButtonElement).form === null).map(each => each.textContent),
        );
      expect(idle).toEqual([]);
      expect(await page.locator('#live, #disconnected').first().isVisible()).toBe(false);
    }
  });
});

describe('hostile text', () => {
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'';

  beforeEach(() =>
    stage.restart({
      label: attack,
      clients: [
        {
          client_id: 'frontend',
          client_name: attack,
          grant_types: ['authorization_code', 'refresh_token'],
          scope: 'openid profile products:read',
          loopback_redirects: true,
          redirect_uris: [app.callback],
          access_token_claims: { [attack]: attack, nested: { [attack]: [attack] } },
        },
      ],
      users: [{ sub: 'mallory<img/src=x/onerror=alert(3)>', claims: { name: attack, email: attack } }],
    }),
  );

  it('stays text on every page', async () => {
    const page = await stage.openPage('/dashboard');
    await isLive(page);
    const other = await stage.openPage('/dashboard');
    const parameters = { scope: 'openid profile products:read', state: attack, nonce: attack };
    await logIn(other, parameters, 'login-user-mallory<img/src=x/onerror=alert(3)>');
    await other.goto(authorizationUrl(stage.sandbox, app.callback, { ...parameters, client_id: attack }));
    const requestUrl = await other.locator('main a[href*="/dashboard/problems/"]').first().getAttribute('href');
    await expectText(page, '.token-of', '"><script>alert(1)</script><img · "><script>');
    await expectNothingRan(page);

    const paths = (['access', 'id', 'refresh', 'code'] as const).map(type => `/dashboard/tokens/${issuedId(type)}`);
    const query = new URLSearchParams({ q: `${attack} claim.${attack}:x` });
    const more = ['/dashboard/tokens', `/dashboard/tokens?${query}`, `/dashboard/${encodeURIComponent(attack)}`];
    for (const path of [...paths, ...more, new URL(requestUrl ?? '', stage.sandbox.url).pathname]) {
      await other.goto(stage.sandbox.url + path);
      await isLive(other);
      await expectNothingRan(other);
    }
    await other.goto(`${stage.sandbox.url}/dashboard/tokens/${issuedId('access')}`);
    expect(await other.locator('.claim-list').first().textContent()).toContain(attack);
  });

  async function expectNothingRan(page: Page): Promise<void> {
    expect(await page.locator('img, main script').count()).toBe(0);
    expect(await page.evaluate(() => document.scripts.length)).toBe(1);
  }
});
