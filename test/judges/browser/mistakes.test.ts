import { build } from 'esbuild';
import type { UserManagerSettings } from 'oidc-client-ts';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientEntry, SandboxConfig } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { openSite, type Site } from '../../support/site.ts';
import { commit, judge } from '../mistakes/judge.ts';
import type { Mistake } from '../mistakes/mistake.ts';
import { createWorld, spa, type World } from '../mistakes/world.ts';
import type {} from '../support/spa.ts';

// What only a browser can do wrong: origins, cookies and storage, by oidc-client-ts in Chromium.

let browser: TestBrowser;
let app: Site;
let context: BrowserContext;
/** What the application is configured with. */
let settings: UserManagerSettings;

beforeAll(async () => {
  browser = await openBrowser();
  const entryPoints = [`${import.meta.dirname}/../support/spa.ts`];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', target: 'es2022' });
  const script = outputFiles[0]?.text ?? '';
  app = await openSite(({ url }) =>
    url.pathname === '/app.js'
      ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
      : { body: pageOf(settings) },
  );
});
beforeEach(async () => {
  context = await browser.newContext();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await app.close();
});

function pageOf(of: UserManagerSettings): string {
  const json = JSON.stringify(of).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<p id="status">starting</p>
<script id="settings" type="application/json">${json}</script><script type="module" src="/app.js"></script>`;
}

/** The application, opened at an origin of its. */
async function openApplication({ sandbox }: World, me: ClientEntry, origin: string): Promise<Page> {
  const [redirect_uri = ''] = me.redirect_uris ?? [];
  const scope = 'openid profile products:read';
  settings = { authority: sandbox.issuer, client_id: me.client_id, redirect_uri, scope, automaticSilentRenew: false };
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await expectStatus(page, /signed out/);
  return page;
}

async function expectStatus(page: Page, text: RegExp): Promise<void> {
  await expect.poll(() => page.locator('#status').textContent()).toMatch(text);
}

async function signIn(page: Page): Promise<void> {
  await page.evaluate(() => void window.manager.signinRedirect());
  await page.getByTestId('login-user-alice').click();
}

async function expectExplained(mistake: Mistake, config: SandboxConfig = {}): Promise<void> {
  await using world = await createWorld({ clients: [mistake.me], ...config });
  const judged = await commit(world, mistake);
  expect({ ...judge(judged, mistake), told: judged.told }).toMatchObject({
    ...{ namesCause: true, namesBothValues: true, isComplete: true, isOnPage: true },
  });
}

describe('a mistake in the browser', () => {
  it('is explained: the origin of the page is not allowed', async () => {
    const corsOrigins = 'http://app.test:3000';
    await expectExplained(
      {
        name: 'CORS',
        me: spa('cors', { redirect_uris: [`${app.origin}/callback`] }),
        async make(world, me) {
          const page = await openApplication(world, me, app.named);
          const userinfo = `${world.sandbox.issuer}/userinfo`;
          const headers = { Authorization: 'Bearer some-token' };
          const told = await page.evaluate(([url, init]) => fetch(url, init).catch(String), [
            userinfo,
            { headers },
          ] as const);
          expect(told).toMatch(/Failed to fetch/); // all that the developer sees
        },
        code: 'cors_origin_refused',
        title: new RegExp(`^A page from ${app.named} may not read the response$`),
        why: /No redirect URI of a client has this origin/,
        sent: new RegExp(`^${app.named}$`),
        expected: /^http:\/\/app\.test:3000 differs: port$/,
      },
      { corsOrigins },
    );
    expect(browser.takeTroubles().join('\n')).toMatch(/blocked by CORS policy/);
  });

  it('is explained: the iframe of another site has no cookie', async () => {
    await expectExplained({
      name: 'a silent renew from another site',
      me: spa('renew', { redirect_uris: [`${app.elsewhere}/callback`], grant_types: ['authorization_code'] }),
      async make(world, me) {
        const page = await openApplication(world, me, app.elsewhere);
        await signIn(page);
        await expectStatus(page, /signed in as alice/);
        const told = await page.evaluate(() => window.manager.signinSilent().catch(String));
        expect(told).toMatch(/nobody is signed in/);
      },
      code: 'silent_renew_blocked',
      title: /^The silent renew of renew had no session cookie$/,
      why: /The browser blocks the cookie, because app and server are different sites \(cross-site\)/,
      sent: /^no cookie \(Sec-Fetch-Site: cross-site\)$/,
      expected: /^the session cookie of the sign-in$/,
      likely: true,
    });
    expect(browser.takeTroubles()).toEqual([]);
  });

  it('is explained: the login starts on 127.0.0.1 and comes back to localhost', async () => {
    await expectExplained({
      name: 'No matching state found in storage',
      me: spa('two-origins', { redirect_uris: [`${app.origin}/callback`] }),
      async make(world, me) {
        const page = await openApplication(world, me, app.elsewhere);
        await signIn(page);
        await expectStatus(page, /No matching state found in storage/); // all that the developer sees
        world.pass(25);
      },
      code: 'code_not_redeemed',
      title: /^two-origins got a code and never redeemed it$/,
      why: /The page at that address did not run, or its script failed before the token request/,
      sent: new RegExp(`^${app.origin}/callback$`),
      expected: /^POST to the token endpoint$/,
      likely: true,
    });
    expect(browser.takeTroubles()).toEqual([]);
  });
});
