import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { authorizationUrl } from '../support/authorization-url.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

// More users than a page shows: each page with a login searches the rest, as somebody types.

const users = Array.from({ length: 200 }, (_, at) => ({ sub: `user-${at}`, claims: { name: `Person ${at}` } }));
const stage = setStage({
  users,
  clients: [
    { client_id: 'frontend', redirect_uris: ['http://localhost/callback'], loopback_redirects: true },
    { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    { client_id: 'bank', client_secret: 'bank-secret', grant_types: ['urn:openid:params:grant-type:ciba'] },
  ],
});
const app = setApplication(stage);

const pages: readonly (readonly [name: string, path: () => string, next: string | RegExp])[] = [
  [
    'a client',
    () => authorizationUrl(stage.sandbox, app.callback, { scope: '' }).slice(stage.sandbox.url.length),
    /\?.*code=/,
  ],
  ['the page of a device', () => '/oauth2/device_verification', '**/oauth2/device_verification'],
  ['the page of approvals', () => '/approvals', '**/approvals'],
];

const signedIn = () => stage.sandbox.events.latest('login.succeeded', 1)[0]?.sub;
const cards = (page: Page) => page.locator('#people li');

describe.each(pages)('the login for %s', (_, path, next) => {
  it('is searched letter by letter with the keyboard alone, says how many there are, and Enter takes the first', async () => {
    const page = await stage.openPage(path());
    const [own, field] = [page.url(), page.getByTestId('login-search')];
    const line = page.locator('#search-result');
    expect(await cards(page).count()).toBe(50);
    expect(await line.textContent()).toBe('First 50 of 200 users');
    await field.focus();
    await page.keyboard.type('person 19', { delay: 20 });
    await expect.poll(() => line.textContent()).toBe('12 of 200 users');
    expect(await cards(page).count()).toBe(12);
    expect(await line.getAttribute('role')).toBe('status');
    expect(await page.locator(':focus').getAttribute('id')).toBe('search');
    expect([page.url(), await field.inputValue()]).toEqual([own, 'person 19']);
    await page.keyboard.type('8');
    await page.keyboard.press('Enter'); // before the list has changed
    await expect.poll(signedIn).toBe('user-198');
    await page.waitForURL(next);
  });

  it('is searched by a button with scripts off, and leads to the same page', async () => {
    const page = await stage.newPage({ javaScriptEnabled: false });
    await page.goto(stage.sandbox.url + path());
    await page.getByTestId('login-search').fill('person 198');
    await page.keyboard.press('Enter');
    await expect.poll(() => cards(page).count()).toBe(1);
    expect(await page.getByTestId('login-search').inputValue()).toBe('person 198');
    await page.getByTestId('login-user-user-198').click();
    await expect.poll(signedIn).toBe('user-198');
    await page.waitForURL(next);
  });
});

it('a search that finds nobody says so, and Enter signs nobody in', async () => {
  const page = await stage.openPage('/approvals');
  await page.getByTestId('login-search').fill('nobody');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('#search-result').textContent()).toBe('No user matches.');
  expect(await cards(page).count()).toBe(0);
  expect(signedIn()).toBeUndefined();
});

it('a search while the sandbox is away says so, and keeps the page', async () => {
  const page = await stage.openPage('/approvals');
  await stage.sandbox.stop();
  await page.getByTestId('login-search').fill('person 198');
  await expect.poll(() => page.locator('#search-result').textContent()).toContain('The search failed');
  await page.keyboard.press('Enter'); // nobody is taken from a list that is another search's
  await page.getByTestId('login-find').click();
  await expect.poll(() => page.locator('[data-not-sent]').textContent()).toContain('Not sent');
  expect([await cards(page).count(), await page.getByTestId('login-search').inputValue()]).toEqual([50, 'person 198']);
  stage.browser.takeTroubles(); // refused connections, in Chromium's words
});
