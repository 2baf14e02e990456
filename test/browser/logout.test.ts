import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { openSite, type Site, type SiteAnswer } from '../support/site.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
let callback: string;

/** The application: a cookie at the callback, which its logout address takes back; and a page that asks the iframe. */
const site = () =>
  openSite(({ url }): SiteAnswer => {
    if (url.pathname === '/callback')
      return { headers: { 'Set-Cookie': 'rp=signed-in; Path=/' }, body: titled('Shop') };
    if (url.pathname === '/out')
      return { headers: { 'Set-Cookie': 'rp=; Path=/; Max-Age=0', 'Cache-Control': 'no-store' }, body: titled('Out') };
    if (url.pathname === '/asks') return { body: asks };
    return { body: titled('The app') };
  });
const titled = (title: string) => `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>`;

const asks = `<!doctype html><html lang="en"><title>Asks</title><script>
let ready = new Promise(resolve => addEventListener('load', resolve));
async function ask(iframe, message) {
  await ready;
  const answer = new Promise(resolve => addEventListener('message', ({ data, origin }) => resolve([data, origin]), { once: true }));
  document.querySelector('iframe').contentWindow.postMessage(message, new URL(iframe).origin);
  return Promise.race([answer, new Promise(resolve => setTimeout(resolve, 1000, ['nothing']))]);
}
const src = new URLSearchParams(location.search).get('iframe');
addEventListener('DOMContentLoaded', () => { const frame = document.createElement('iframe'); frame.src = src; document.body.append(frame); });
</script><h1>Asks</h1>`;

beforeAll(async () => {
  browser = await openBrowser();
  app = await site();
  callback = `${app.origin}/callback`;
});
beforeEach(async () => {
  const shop: ClientEntry = {
    client_id: 'shop',
    client_name: 'Shop',
    redirect_uris: [callback],
    post_logout_redirect_uris: [`${app.origin}/bye`],
    scope: 'openid profile email products:read',
  };
  sandbox = await createSandbox({
    clients: [
      { ...shop, frontchannel_logout_uri: `${app.origin}/out`, frontchannel_logout_session_required: true },
      { ...shop, client_id: 'plain' },
    ],
  });
});
afterEach(async () => {
  await context.close();
  await sandbox.stop();
  app.requests.length = 0;
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** Signs in, and gives the page that stands at the callback. */
async function signIn(client_id: string, options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(authorizationUrl(sandbox, callback, { client_id }));
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL(`${callback}?*`);
  return page;
}

const rpCookie = async () => (await context.cookies(app.origin)).find(({ name }) => name === 'rp')?.value;
const logoutUrl = (parameters: Record<string, string>) =>
  `${sandbox.url}/connect/logout?${new URLSearchParams(parameters)}`;
const visits = (path: string) => app.requests.filter(({ url }) => url.pathname === path);

describe('front-channel logout in a browser', () => {
  it('loads the logout URI of the application, which clears its cookie, and redirects to the application', async () => {
    const page = await signIn('shop');
    expect(await rpCookie()).toBe('signed-in');
    await page.goto(logoutUrl({ client_id: 'shop', post_logout_redirect_uri: `${app.origin}/bye`, state: 'bye' }));
    await page.getByTestId('logout-confirm').click();
    await page.waitForURL(`${app.origin}/bye?state=bye`);
    const [frame, ...others] = visits('/out');
    expect(others).toEqual([]);
    const { sid } = sandbox.events.latest('session.ended', 1)[0] ?? {};
    expect(Object.fromEntries(frame?.url.searchParams ?? [])).toEqual({ iss: sandbox.issuer, sid });
    expect(await rpCookie()).toBeUndefined();
  });

  it('continues without scripts, too', async () => {
    const page = await signIn('shop', { javaScriptEnabled: false });
    await page.goto(logoutUrl({ client_id: 'shop', post_logout_redirect_uri: `${app.origin}/bye` }));
    await page.getByTestId('logout-confirm').click();
    await page.getByTestId('logout-continue').waitFor();
    expect(await page.getByTestId('logout-continue').getAttribute('href')).toBe(`${app.origin}/bye`);
    await page.waitForURL(`${app.origin}/bye`);
    expect(visits('/out')).toHaveLength(1);
    expect(await rpCookie()).toBeUndefined();
  });

  it('stays and lists the notified clients, if there is no address to return to', async () => {
    const page = await signIn('shop');
    await page.goto(logoutUrl({}));
    await expect(page.getByText('will be told').count()).resolves.toBe(1);
    await page.getByTestId('logout-confirm').click();
    const row = page.getByTestId('logout-notices').getByRole('row', { name: /shop/ });
    await row.getByText(`${app.origin}/out?`).waitFor();
    await expect.poll(rpCookie).toBeUndefined();
    expect(await page.locator('iframe').count()).toBe(1);
  });

  it('continues after a timeout if an application hangs', async () => {
    const page = await signIn('shop');
    await page.route(`${app.origin}/out?*`, () => new Promise(() => {}));
    await page.goto(logoutUrl({ client_id: 'shop', post_logout_redirect_uri: `${app.origin}/bye` }));
    await page.getByTestId('logout-confirm').click({ noWaitAfter: true });
    await page.waitForURL(`${app.origin}/bye`);
  });
});

describe('the check_session_iframe in a browser', () => {
  /** What the iframe answers the application's page, and from which origin. */
  async function ask(page: Page, message: unknown, address = `${app.origin}/asks`): Promise<unknown> {
    const iframe = `${sandbox.issuer}/connect/check_session`;
    await page.goto(`${address}?${new URLSearchParams({ iframe })}`);
    return page.evaluate(
      ([url, text]) => (window as unknown as { ask(url: unknown, text: unknown): Promise<unknown> }).ask(url, text),
      [iframe, message],
    );
  }
  const stateOf = (page: Page) => new URL(page.url()).searchParams.get('session_state') ?? '';
  const origin = () => new URL(sandbox.issuer).origin;

  it('says unchanged while the login lasts, and changed after the logout', async () => {
    const page = await signIn('plain');
    const message = `plain ${stateOf(page)}`;
    expect(await ask(page, message)).toEqual(['unchanged', origin()]);
    await page.goto(logoutUrl({}));
    await page.getByTestId('logout-confirm').click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    expect(await ask(page, message)).toEqual(['changed', origin()]);
  });

  it('says changed when somebody else has logged in, and unchanged to who then asks anew', async () => {
    const page = await signIn('plain');
    const message = `plain ${stateOf(page)}`;
    await page.goto(authorizationUrl(sandbox, callback, { client_id: 'plain', prompt: 'login' }));
    await page.getByTestId('login-user-bob').click();
    await page.waitForURL(`${callback}?*`);
    const fresh = `plain ${stateOf(page)}`;
    expect(await ask(page, message)).toEqual(['changed', origin()]);
    expect(await ask(page, fresh)).toEqual(['unchanged', origin()]);
  });

  it('says nothing to a page without an origin, which could only be answered so that everybody may read it', async () => {
    const page = await signIn('plain');
    expect(await ask(page, `plain ${stateOf(page)}`, `data:text/html,${encodeURIComponent(asks)}`)).toEqual([
      'nothing',
    ]);
  });

  it.each([
    ['of another client', (state: string) => `shop ${state}`, 'changed'],
    ['without a state', () => 'plain', 'error'],
    ['that is none', () => 42, 'error'],
  ])('answers a message %s', async (_what, message, status) => {
    const page = await signIn('plain');
    expect(await ask(page, message(stateOf(page)))).toEqual([status, origin()]);
  });
});
