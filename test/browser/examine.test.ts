import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { servedWebApp } from '../extensions/examine/web-app.ts';
import { createSandbox } from '../support/bundle.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

// Somebody examines the demo app by hand: in one window the page asks, in the other they sign in.

let browser: TestBrowser;
let sandbox: Sandbox;
beforeAll(async () => {
  browser = await openBrowser();
  sandbox = await createSandbox();
  await fetch(`${sandbox.url}/demo-app/register`, { method: 'POST', headers: { origin: sandbox.url } });
});
afterEach(() => {
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

it.each([
  ['live', true],
  ['without scripts', false],
])('asks for one sign-in after the other, and shows the results: %s', async (_how, javaScriptEnabled) => {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`${sandbox.url}/dashboard/examine`);
  await page.getByTestId('examine-url').fill(`${sandbox.url}/demo-app`);
  await page.getByTestId('examine-start').click();
  const fresh = async (words: string) => {
    if (!javaScriptEnabled) await expect.poll(() => page.reload().then(() => page.content())).toContain(words);
    await page.getByText(words).waitFor();
  };
  await fresh('Now: Nothing is wrong');
  const [app] = await Promise.all([context.waitForEvent('page'), page.getByTestId('examine-app').click()]);
  async function signIn(): Promise<void> {
    await app.goto(`${sandbox.url}/demo-app`);
    if (await app.getByTestId('app-sign-out').isVisible()) await app.getByTestId('app-sign-out').click();
    await app.getByTestId('app-sign-in').click();
    await app.getByTestId('login-user-alice').click();
  }
  await signIn();
  await app.getByTestId('app-account').waitFor();
  await page.getByTestId('examine-yes').click();
  await fresh('Now: The ID token names another issuer');
  await signIn();
  await app.getByTestId('app-refusal').waitFor();
  await page.getByTestId('examine-no').click();
  await fresh('Now: The ID token names no issuer');
  expect(await page.getByTestId('examine-module').filter({ hasText: 'passed' }).count()).toBe(2);
  expect(await page.getByTestId('examine-progress').innerText()).toBe(
    `2 of ${await page.getByTestId('examine-module').count()} modules`,
  );
  await page.getByTestId('examine-stop').click();
  await page.getByText('You stopped it.').waitFor();
  await context.close();
});

it('turns a module green when a program answers, without a reload', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${sandbox.url}/dashboard/examine`);
  const own = { driver: 'asked', plan: 'oauth-bcp', modules: ['pkce'], user: 'alice' };
  const call = async (path: string, body: object) =>
    (
      await fetch(`${sandbox.url}/_sandbox/examinations${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json();
  const { id } = await call('', own);
  await page.getByTestId('examine-run').first().getByRole('link').click();
  const marked = await page.evaluateHandle('window');
  await page.getByTestId('examine-issuer').waitFor();
  const issuer = await page.getByTestId('examine-issuer').innerText();
  const { redirect_uris = [], client_id = '' } = (await sandbox.clients.get('frontend')) ?? {};
  const query = { response_type: 'code', client_id, redirect_uri: redirect_uris[0] ?? '', scope: 'openid' };
  const code = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
  await fetch(`${issuer}/oauth2/authorize?${new URLSearchParams({ ...query, ...code })}`, { redirect: 'manual' });
  await call(`/${id}/answer`, { believed: true });
  await page.getByText('Now: Each authorization request has a code_challenge').waitFor();
  expect(await page.getByTestId('examine-module').filter({ hasText: 'passed' }).count()).toBe(1);
  expect(await page.evaluate(old => old === globalThis, marked)).toBe(true);
  await page.getByTestId('examine-stop').click();
  await context.close();
});

it.each([
  ['live', true],
  ['without scripts', false],
])('records a sign-in in another window, and examines with it: %s', async (_how, javaScriptEnabled) => {
  const url = await servedWebApp(() => sandbox.url);
  const client_id = 'careful';
  await sandbox.clients.create({ client_id, client_secret: 'careful-secret', redirect_uris: [`${url}/callback`] });
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(`${sandbox.url}/dashboard/examine`);
  await page.getByTestId('examine-plan').selectOption('oauth-bcp');
  await page.getByTestId('examine-how').selectOption('record');
  await page.getByTestId('examine-url').fill(`${url}/login`);
  await page.getByTestId('examine-start').click();
  const [app] = await Promise.all([context.waitForEvent('page'), page.getByTestId('examine-record-open').click()]);
  await app.getByTestId('login-user-alice').click();
  await app.getByText('Sign out').waitFor();
  await page.getByTestId('examine-signedin').fill('Sign out');
  await page.getByTestId('examine-record-done').click();
  const record = JSON.parse(await page.getByTestId('examine-record').inputValue());
  expect(record.forms).toEqual([{ page: '/login', fields: { action: 'login', sub: 'alice' } }]);
  const download = page.waitForEvent('download');
  await page.getByTestId('examine-record-download').click();
  expect((await download).suggestedFilename()).toBe('grantbox-sign-in.json');
  await page.getByTestId('examine-record-start').click();
  await page.getByTestId('examine-progress').waitFor();
  const passed = page
    .getByTestId('examine-module')
    .filter({ hasText: 'Nothing is wrong' })
    .filter({ hasText: 'passed' });
  await expect.poll(() => page.reload().then(() => passed.count())).toBe(1);
  await page.getByTestId('examine-stop').click();
  await page.getByText('You stopped it.').waitFor(); // its faults are disarmed
  await context.close();
  await sandbox.clients.delete(client_id);
});
