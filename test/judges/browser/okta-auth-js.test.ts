import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';
import type { OktaApplication } from '../support/okta-spa.ts';

// The unmodified okta-auth-js against the preset, as an application uses it.
let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;
let settings: OktaApplication;

beforeAll(async () => {
  browser = await openBrowser();
  const script = await bundledApplication('okta-spa', {
    platform: 'browser',
    define: { global: 'globalThis', SDK_VERSION: '"8.0.1"' },
  });
  app = await openSite(({ url }) => {
    if (url.pathname === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: script };
    return { body: applicationPage(settings) };
  });
  sandbox = await createSandbox({
    preset: 'okta',
    clients: [
      {
        client_id: 'spa',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${app.origin}/callback`],
        post_logout_redirect_uris: [app.origin],
      },
    ],
    users: [
      {
        sub: '00ualice0000000000d7',
        username: 'alice@example.com',
        password: 'alice-password',
        claims: { name: 'Alice Archer', given_name: 'Alice', family_name: 'Archer', email: 'alice@example.com' },
      },
    ],
  });
});
beforeEach(async () => {
  settings = {
    issuer: sandbox.issuer,
    clientId: 'spa',
    scopes: ['openid', 'profile', 'email'],
    decodeAccessTokens: true,
  };
  context = await browser.newContext();
});
afterEach(async () => {
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await app.close();
  await sandbox.stop();
});

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.origin}/`);
  await expect.poll(() => page.locator('#status').textContent()).not.toBe('starting');
  return page;
}

async function logIn(): Promise<Page> {
  const page = await open();
  await page.evaluate(() => void window.okta.signInWithRedirect());
  await page.getByRole('button', { name: /Alice/ }).click();
  await expectStatus(page, 'logged in');
  return page;
}

it('logs in by a redirect, verifies the tokens and reads UserInfo', async () => {
  const page = await logIn();

  const { accessToken, idToken } = await page.evaluate(() => window.okta.tokenManager.getTokensSync());
  expect(accessToken?.claims).toMatchObject({ cid: 'spa', uid: '00ualice0000000000d7', sub: 'alice@example.com' });
  expect(idToken?.claims).toMatchObject({
    iss: sandbox.issuer,
    sub: '00ualice0000000000d7',
    preferred_username: 'alice@example.com',
    ver: 1,
  });
  expect(
    await page.evaluate(async () => window.okta.token.verify((await window.okta.tokenManager.get('idToken')) as never)),
  ).toBeTruthy();
  expect(await page.evaluate(() => window.okta.getUser())).toMatchObject({
    sub: '00ualice0000000000d7',
    given_name: 'Alice',
  });
});

it('gets tokens without a page in an iframe, and is told where no session exists', async () => {
  const stranger = await open();
  expect(
    await stranger.evaluate(() => window.okta.token.getWithoutPrompt().then(() => 'no error', window.failed)),
  ).toEqual({
    code: 'login_required',
    text: 'The client specified not to prompt, but the user is not logged in.',
  });
  expect(await stranger.evaluate(() => window.okta.session.exists())).toBe(false);
  await stranger.close();

  const page = await logIn();
  expect(await page.evaluate(() => window.okta.session.exists())).toBe(true);
  const user = page.evaluate(async () => (await window.okta.session.get()).user?.());
  expect(await user).toMatchObject({
    id: '00ualice0000000000d7',
    profile: { login: 'alice@example.com', firstName: 'Alice' },
  });
  const { tokens } = await page.evaluate(() => window.okta.token.getWithoutPrompt());
  expect(tokens.idToken?.claims).toMatchObject({ sub: '00ualice0000000000d7' });
});

it('renews tokens by the session, and by a refresh token', async () => {
  settings = { ...settings, scopes: ['openid', 'offline_access'] };
  const page = await logIn();
  const before = await page.evaluate(() => window.okta.getAccessToken());
  const byRefresh = await page.evaluate(() => window.okta.token.renewTokens());
  expect(byRefresh.accessToken?.accessToken).not.toBe(before);
  await page.evaluate(() => window.okta.tokenManager.remove('refreshToken'));
  const bySession = await page.evaluate(() => window.okta.token.renewTokens());
  expect(bySession.accessToken?.accessToken).not.toBe(byRefresh.accessToken?.accessToken);
});

it('drops a refresh token that has ended', async () => {
  settings = { ...settings, scopes: ['openid', 'offline_access'] };
  const page = await logIn();
  await page.evaluate(() => window.okta.revokeRefreshToken());
  await sandbox.reset('sessions');
  const refused = await page.evaluate(async () => {
    const refreshToken = {
      ...(await window.okta.tokenManager.getTokens()).accessToken,
      refreshToken: 'x',
      tokenUrl: `${window.okta.getIssuerOrigin()}/oauth2/default/v1/token`,
      scopes: ['openid'],
    };
    return window.okta.token.renewTokens({ tokens: { refreshToken } as never }).then(
      () => 'renewed',
      error => [error.errorCode, error.errorSummary],
    );
  });
  expect(refused).toEqual(['invalid_grant', 'The refresh token is invalid or expired.']);
});

it('revokes its access token with its id alone, so that UserInfo refuses it', async () => {
  const page = await logIn();
  await page.evaluate(async () => {
    const { accessToken } = await window.okta.tokenManager.getTokens();
    await window.okta.token.revoke(accessToken as never);
  });
  expect(
    await page.evaluate(() => window.okta.token.getUserInfo().then(() => 'no error', window.failed)),
  ).toMatchObject({
    code: 'invalid_token',
    text: 'The access token is invalid.',
  });
});

it('signs out at the issuer and comes back', async () => {
  const page = await logIn();
  await page.evaluate(() => void window.okta.signOut());
  await expectStatus(page, 'logged out');
  expect(await page.evaluate(() => window.okta.session.exists())).toBe(false);
});

it('signs in with a password by primary authentication, and ends that session', async () => {
  const page = await open();
  const { status, sessionToken } = await page.evaluate(() =>
    window.okta.signInWithCredentials({ username: 'alice@example.com', password: 'alice-password' }),
  );
  expect(status).toBe('SUCCESS');
  const { tokens } = await page.evaluate(
    token => window.okta.token.getWithoutPrompt({ sessionToken: token as string }),
    sessionToken,
  );
  expect(tokens.idToken?.claims).toMatchObject({ amr: ['pwd'] });
  await page.evaluate(() => window.okta.session.close());
  expect(await page.evaluate(() => window.okta.session.exists())).toBe(false);
  expect(
    await page.evaluate(() =>
      window.okta
        .signInWithCredentials({ username: 'alice@example.com', password: 'x' })
        .then(() => 'no error', window.failed),
    ),
  ).toMatchObject({ code: 'E0000004', text: 'Authentication failed' });
});

it('binds its tokens to a key (DPoP)', async () => {
  settings = { ...settings, dpop: true };
  const page = await logIn();
  const { accessToken } = await page.evaluate(() => window.okta.tokenManager.getTokensSync());
  expect(accessToken).toMatchObject({ tokenType: 'DPoP', claims: { cnf: { jkt: expect.any(String) } } });
  expect(await page.evaluate(() => window.okta.token.getUserInfo())).toMatchObject({ sub: '00ualice0000000000d7' });
});

it('reads the errors of the authorization endpoint', async () => {
  settings = { ...settings, scopes: ['openid', 'magic'] };
  const page = await open();
  await page.evaluate(() => void window.okta.signInWithRedirect());
  await expect
    .poll(() => page.locator('#status').textContent().catch(String))
    .toMatch(/One or more scopes are not configured for the authorization server resource/);
});
