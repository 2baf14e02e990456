import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SignJWT } from 'jose';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { refresh, sensorToken } from '../support/authorization-url.ts';
import { post, signIn } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const login = () => signIn(stage.sandbox.url, 'alice', { scope: 'openid profile products:read offline_access' });

function idOf(token: string): string {
  const found = stage.sandbox.events.latestIssued(100).find(event => event.token === token);
  return found?.tokenId ?? 'no such token';
}

const statusOf = (page: Page) => page.locator('.token-head .status').textContent();
const isLive = (page: Page) => page.locator('#live.on').waitFor();
const withClipboard: BrowserContextOptions = { permissions: ['clipboard-read', 'clipboard-write'] };
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

describe('the menu of a row', () => {
  it('puts a working curl into the clipboard with two clicks from the list', async () => {
    const { access_token } = await login();
    const page = await stage.openPage('/dashboard/tokens/list', withClipboard);
    const row = page.locator(`#${idOf(access_token)}`);
    await row.locator('.dots').click();
    await page.getByTestId('menu-copy-curl').click();
    await expect.poll(() => clipboard(page)).toContain(`'${stage.sandbox.issuer}/api/products'`);
    expect(await clipboard(page)).toContain(access_token);
  });

  it('opens by keyboard, and gives the focus back', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/list');
    await page.keyboard.press('j');
    await page.keyboard.press('.');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByTestId('menu-copy-token').evaluate(each => each === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#row-menu').isVisible()).toBe(false);
    expect(await page.locator('.dots').evaluate(each => each === document.activeElement)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/dashboard/tokens/list');
  });

  it('expires a token, which another list shows at once, and Undo makes it good again', async () => {
    await sensorToken(stage.sandbox);
    const [list, page] = [
      await stage.openPage('/dashboard/tokens/list'),
      await stage.openPage('/dashboard/tokens/list'),
    ];
    await isLive(list);
    await page.locator('.dots').click();
    await page.getByTestId('menu-expire').click();
    await page.waitForURL('**/tok_*?done=expired');
    expect(await statusOf(page)).toBe('expired');
    await expect.poll(() => list.locator('tbody .status').textContent()).toBe('expired');
    await page.getByTestId('token-undo').click();
    await page.waitForURL('**/tok_*?done=resumed');
    expect(await statusOf(page)).toBe('valid');
    await expect.poll(() => list.locator('tbody .status').textContent()).toBe('valid');
  });
});

describe('tokens by login', () => {
  it('copies the access token with one click', async () => {
    const { access_token } = await login();
    const page = await stage.openPage('/dashboard/tokens', withClipboard);
    await page.getByTestId('tokens-copy').click();
    await expect.poll(() => clipboard(page)).toBe(access_token);
    await page.getByRole('button', { name: 'Copied' }).waitFor();
  });

  it('puts refreshed tokens into the row of their login, in the place of those before', async () => {
    const { refresh_token } = await login();
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    expect(await page.locator('tbody tr').count()).toBe(1);
    const { refresh_token: replacement } = await refresh(stage.sandbox, refresh_token);
    await page.locator(`#${idOf(replacement)}`).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator(`#${idOf(refresh_token)}`).count()).toBe(0);
    expect(await page.locator('.earlier').textContent()).toBe('+3 earlier tokens');
    await post(`${stage.sandbox.url}/oauth2/revoke`, { token: replacement, client_id: 'frontend' });
    await page.getByText('revoked: by the client').waitFor();
    expect(await page.locator('tbody .chip:not(.gone)').allTextContents()).toEqual([expect.stringMatching(/^id 2/)]);
  });
});

describe('the form that mints a token', () => {
  it.each([true, false])('gives a token that expires in 10 s with two clicks, scripts: %s', async javaScriptEnabled => {
    const page = await stage.openPage('/dashboard/tokens', { javaScriptEnabled });
    await page.getByTestId('mint').click();
    await page.getByTestId('mint-preset-short').click();
    await page.waitForURL('**/tokens/tok_*');
    expect(stage.sandbox.events.latestIssued(1)).toMatchObject([{ sub: 'alice', minted: true }]);
    expect(await page.locator('.lifetime').innerText()).toContain('of 10 s');
  });

  it.each([true, false])('is open at the address #mint, scripts: %s', async javaScriptEnabled => {
    const page = await stage.openPage('/dashboard/tokens#mint', { javaScriptEnabled });
    await page.getByTestId('mint-preset-short').waitFor();
    expect(await page.getByTestId('mint-user').isVisible()).toBe(true);
  });

  it('mints a token from the fields on Enter, without a preset', async () => {
    const page = await stage.openPage('/dashboard/tokens');
    await page.getByTestId('mint').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('mint-lifetime').fill('77');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tokens/tok_*');
    const [issued] = stage.sandbox.events.latestIssued(1);
    expect((issued?.exp ?? 0) - (issued?.iat ?? 0)).toBe(77);
  });

  it('has the focus in its first field in the click that opens it, so that the next key goes there', async () => {
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    const focused = await page.getByTestId('mint').evaluate(summary => {
      (summary as HTMLElement).click();
      return document.activeElement?.getAttribute('data-testid');
    });
    expect(focused).toBe('mint-client');
  });
});

describe('the list of tokens', () => {
  it('puts older tokens below the others when one scrolls there, and says which are gone', async () => {
    await stage.restart({ historySize: 350 });
    for (let round = 0; round < 36; round++)
      await Promise.all(Array.from({ length: 10 }, () => sensorToken(stage.sandbox)));
    const page = await stage.openPage('/dashboard/tokens/list');
    expect(await page.locator('tbody tr').count()).toBe(100);
    for (let tries = 0; tries < 20 && (await page.locator('tbody tr').count()) < 350; tries++) {
      await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 2000);
      await page.waitForTimeout(100);
    }
    const ids = await page.locator('tbody tr').evaluateAll(rows => rows.map(({ id }) => id));
    expect(new Set(ids).size).toBe(350);
    expect(ids).toEqual(stage.sandbox.events.latestIssued(350).map(({ tokenId }) => tokenId));
    expect(await page.locator('#older').isVisible()).toBe(false);
    await page.goto(
      `${stage.sandbox.url}/dashboard/tokens/list?before=${stage.sandbox.events.latestIssued(350).at(-10)?.id}`,
    );
    expect(await page.getByTestId('tokens-forgotten').textContent()).toContain('The oldest 10 are gone');
  });

  it('follows the newest, wherever one reads, when that is switched on', async () => {
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 10 }, () => sensorToken(stage.sandbox)));
    const page = await stage.openPage('/dashboard/tokens/list');
    await isLive(page);
    await page.locator('tbody tr').last().scrollIntoViewIfNeeded();
    await sensorToken(stage.sandbox);
    await page.locator('#show-new').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(40);
    await page.getByTestId('live-follow').click();
    expect(await page.getByTestId('live-follow').isChecked()).toBe(true);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(41);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.locator('tbody tr').last().hover();
    await sensorToken(stage.sandbox);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(42);
  });

  it('opens Decode for a pasted token, which is in no address', async () => {
    const { access_token } = await login();
    const page = await stage.openPage('/dashboard/tokens/list');
    await page.locator('#q').fill(`Bearer ${access_token}`);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/decode');
    expect(await page.getByTestId('decode-ours').textContent()).toContain(idOf(access_token));
    await page.goBack();
    await page.locator('#q').fill('user:alice');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/tokens/list?q=user*');
  });
});

describe('a token page', () => {
  it('explains a claim on a click, and all of them, and shows the raw token whole', async () => {
    const { access_token } = await login();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`);
    const open = () => page.locator('.claim[open]').count();
    const roles = page.locator('.claim:has(.claim-name:text-is("roles"))');
    await roles.locator('summary').click();
    await roles.getByText('The roles of the user.').waitFor();
    expect(await open()).toBe(1);
    await page.getByTestId('token-explain').click();
    expect(await open()).toBe(await page.locator('.claim').count());
    await page.getByTestId('token-explain').click();
    expect(await open()).toBe(0);
    const height = async () => (await page.locator('#token').boundingBox())?.height ?? 0;
    const short = await height();
    await page.locator('.show-all summary').click();
    expect(await height()).toBeGreaterThan(short * 2);
  });

  it('turns its checks and its badge when the token expires', async () => {
    const { access_token } = await login();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`);
    await isLive(page);
    const checks = page.locator('.verdicts summary');
    expect(await checks.textContent()).toContain('not expired');
    const body = JSON.stringify({ advance: 3600 });
    await fetch(`${stage.sandbox.url}/_sandbox/clock`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    await expect.poll(() => statusOf(page)).toBe('expired');
    await expect.poll(() => checks.textContent()).toMatch(/fail: expired/);
  });

  it('closes its menus on Escape and on a click elsewhere, and does not leave', async () => {
    const { access_token } = await login();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`);
    const menu = page.getByTestId('token-more');
    const isOpen = () => menu.evaluate(each => (each as HTMLDetailsElement).open);
    await menu.locator('> summary').click();
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    expect(new URL(page.url()).pathname).toContain('/tok_');
    await menu.locator('> summary').click();
    await page.getByRole('heading', { level: 1 }).click();
    expect(await isOpen()).toBe(false);
  });

  it('lets Undo go after ten seconds, and keeps the way back', async () => {
    const { access_token } = await login();
    await (await stage.profile()).clock.install();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`);
    await page.getByTestId('token-expire').click();
    await page.getByTestId('token-undo').waitFor();
    await page.clock.runFor(11_000);
    await expect.poll(() => page.getByTestId('token-undo').count()).toBe(0);
    await page.getByTestId('token-resume').click();
    await page.getByText('The token is valid again.').waitFor();
  });
});

describe('Decode', () => {
  it.each([true, false])('verifies a foreign token with a pasted key, scripts: %s', async javaScriptEnabled => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = await new SignJWT({ sub: '1' }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    const page = await stage.openPage('/dashboard/decode', { javaScriptEnabled });
    await page.getByTestId('decode-input').fill(token);
    await page.getByTestId('decode-verify').fill(JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
    if (!javaScriptEnabled) await page.getByTestId('decode-submit').click();
    await page.getByTestId('decode-verdict').getByText('fits the key of the set').first().waitFor();
    await page.getByTestId('decode-verify').fill('a secret');
    if (!javaScriptEnabled) await page.getByTestId('decode-submit').click();
    await page.getByTestId('decode-verify-problem').getByText('ES256 is verified with a public key').waitFor();
  });

  it('decodes while one types, and keeps the focus', async () => {
    const { access_token } = await login();
    const page = await stage.openPage('/dashboard/decode');
    await page.getByTestId('decode-input').fill(access_token.slice(0, -20));
    await page.getByTestId('decode-verdict').getByText('not verified').waitFor();
    await page.getByTestId('decode-input').press('End');
    await page.keyboard.type(access_token.slice(-20));
    await page.getByTestId('decode-verdict').getByText('verified with key').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('token');
    expect(new URL(page.url()).pathname).toBe('/dashboard/decode');
  });

  it.each([true, false])('signs edited claims again, scripts: %s', async javaScriptEnabled => {
    const { access_token } = await login();
    const page = await stage.openPage('/dashboard/decode', { javaScriptEnabled });
    await page.getByTestId('decode-input').fill(access_token);
    if (!javaScriptEnabled) await page.getByTestId('decode-submit').click();
    await page.getByTestId('decode-edit').click();
    const claims = JSON.parse(await page.getByTestId('decode-claims').inputValue());
    await page.getByTestId('decode-claims').fill(JSON.stringify({ ...claims, roles: ['owner'] }));
    await page.getByTestId('decode-sign').click();
    await page.waitForURL('**/decode/sign');
    expect(await page.getByTestId('decode-ours').textContent()).toContain('Issued by this sandbox');
    expect(await page.locator('.claim-list').first().innerText()).toContain('owner');
    expect(stage.sandbox.events.latestIssued(1)).toMatchObject([{ minted: true, sub: 'alice' }]);
  });
});

describe('comparing two tokens', () => {
  it('takes three clicks from the dashboard for the access token and the ID token of a login', async () => {
    const { access_token, id_token } = await login();
    const page = await stage.openPage('/dashboard');
    await page.getByTestId('nav-flows').click();
    await page.getByTestId('nav-tokens').click();
    await page.getByTestId('tokens-open').click();
    await page.getByRole('link', { name: 'ID token of this sign-in' }).click();
    await page.waitForURL('**/diff?with=*');
    for (const token of [access_token, id_token])
      expect(await page.locator('.sides').textContent()).toContain(idOf(token));
    expect(await page.locator('.diff').first().textContent()).toContain('client_id');
  });
});

describe('with scripts off', () => {
  const off: BrowserContextOptions = { javaScriptEnabled: false, acceptDownloads: true };

  it('a token is copied from its blocks, downloaded, used, expired and made good again', async () => {
    const { access_token } = await login();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`, off);
    await page.getByTestId('token-more').locator('> summary').click();
    await page.locator('summary', { hasText: 'Authorization header' }).click();
    expect(await page.locator('#copy-header').textContent()).toBe(`Authorization: Bearer ${access_token}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('token-download-http').click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${idOf(access_token)}.http`);
    expect(await readFile(await download.path(), 'utf8')).toContain(`GET ${stage.sandbox.issuer}/api/products`);
    await page.goto(`${stage.sandbox.url}/dashboard/tokens/${idOf(access_token)}`);
    await page.getByTestId('token-more').locator('> summary').click();
    await page.getByTestId('token-use-api').click();
    expect(await page.getByTestId('token-use-result').textContent()).toContain('City bike');
    await page.getByTestId('token-expire').click();
    expect(await statusOf(page)).toBe('expired');
    await page.getByTestId('token-undo').click();
    expect(await statusOf(page)).toBe('valid');
    await page.getByTestId('token-more').locator('> summary').click();
    await page.getByTestId('token-revoke').click();
    expect(await statusOf(page)).toBe('revoked');
    expect(await page.getByTestId('token-status-words').textContent()).toContain('accepts it until');
  });

  it('two tokens are compared, and others are picked', async () => {
    const first = await login();
    const second = await login();
    await refresh(stage.sandbox, second.refresh_token);
    const page = await stage.openPage(`/dashboard/tokens/${idOf(second.access_token)}`, off);
    await page.getByTestId('token-diff').click();
    expect(await page.locator('.sides').textContent()).toContain(idOf(first.access_token));
    expect(await page.getByTestId('diff-same').isVisible()).toBe(true);
    const others = page.locator('optgroup[label="Same sign-in"] option', { hasText: 'Access token' });
    await page.getByTestId('diff-with').selectOption(await others.first().getAttribute('value'));
    await page.getByTestId('diff-submit').click();
    expect(await page.locator('.diff .words').first().textContent()).toBe('changed');
    expect(await page.locator('#facts').isVisible()).toBe(true);
  });

  it('the claims of a token are shown as JSON, and as a table again', async () => {
    const { access_token } = await login();
    const page = await stage.openPage(`/dashboard/tokens/${idOf(access_token)}`, off);
    await page.getByTestId('token-as-json').click();
    const claims = JSON.parse(await page.locator('#json-claims').innerText());
    expect(claims).toMatchObject({ sub: 'alice', client_id: 'frontend' });
    expect(await page.locator('#json-claims .json-name').first().textContent()).toBe('"iss"');
    await page.getByTestId('token-as-table').click();
    expect(await page.locator('.claim-list').first().innerText()).toContain('alice');
  });

  it('a token is decoded, cut or whole', async () => {
    const { id_token } = await login();
    const page = await stage.openPage('/dashboard/decode', off);
    await page.getByTestId('decode-input').fill(`"${id_token}"`);
    await page.getByTestId('decode-submit').click();
    expect(await page.getByTestId('decode-verdict').textContent()).toContain('verified with key');
    expect(await page.getByTestId('decode-input').inputValue()).toBe(`"${id_token}"`);
    await page.getByTestId('decode-input').fill(id_token.slice(0, 300));
    await page.getByTestId('decode-submit').click();
    expect(await page.getByTestId('decode-problem').first().textContent()).toContain('The signature is missing');
    await page.getByTestId('decode-clear').click();
    expect(await page.getByTestId('decode-input').inputValue()).toBe('');
  });
});
