import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/index.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openSite, type Site } from '../../support/site.ts';
import { applicationPage, bundledApplication, expectStatus } from '../support/bundled-application.ts';

// The unmodified aws-amplify against the preset, as an application uses it. Its domain is always https.
let browser: TestBrowser;
let app: Site;
let sandbox: Sandbox;
let context: BrowserContext;

const userPoolId = 'eu-west-1_Shop1';
const email = 'alice@example.com';

beforeAll(async () => {
  browser = await openBrowser();
  const script = await bundledApplication('amplify-spa');
  app = await openSite(({ url }) =>
    url.pathname === '/app.js' ? { headers: { 'Content-Type': 'text/javascript' }, body: script } : { body: pageOf() },
  );
  sandbox = await createSandbox({
    preset: { name: 'cognito', pool: userPoolId },
    tls: 'self-signed',
    clients: [
      {
        client_id: 'spa',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${app.origin}/`],
        post_logout_redirect_uris: [`${app.origin}/`],
      },
    ],
    users: [
      { sub: 'alice', password: 'Alice-password-1', claims: { email, email_verified: true, groups: ['/admins'] } },
    ],
  });
});
beforeEach(async () => {
  context = await browser.newContext({ ignoreHTTPSErrors: true });
});
afterEach(async () => {
  await context.close();
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
  await app.close();
});

function pageOf(): string {
  const oauth = {
    domain: new URL(sandbox.url).host,
    scopes: ['openid', 'email', 'aws.cognito.signin.user.admin'],
    redirectSignIn: [`${app.origin}/`],
    redirectSignOut: [`${app.origin}/`],
    responseType: 'code',
  };
  const pool = { userPoolId, userPoolClientId: 'spa', userPoolEndpoint: sandbox.url };
  return applicationPage({ Auth: { Cognito: { ...pool, loginWith: { oauth } } } });
}

async function open(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${app.origin}/`);
  await expectStatus(page, 'logged out');
  return page;
}

/** The payloads of both tokens. */
function session(page: Page, forceRefresh = false) {
  return page.evaluate(async force => {
    const { tokens } = await window.auth.fetchAuthSession({ forceRefresh: force });
    return { access: tokens?.accessToken.payload, id: tokens?.idToken?.payload };
  }, forceRefresh);
}

it('logs in by redirect, refreshes, reads the user, and logs out by redirect', async () => {
  const page = await open();
  await page.evaluate(() => void window.auth.signInWithRedirect());
  await page.getByRole('button', { name: /alice/i }).click();
  await expectStatus(page, 'logged in');

  const first = await session(page);
  expect(first.access).toMatchObject({ token_use: 'access', username: 'alice', client_id: 'spa' });
  expect(first.id).toMatchObject({ 'cognito:username': 'alice', 'cognito:groups': ['admins'], email });
  const second = await session(page, true);
  expect(second.access?.jti).not.toBe(first.access?.jti);
  expect(second.access?.origin_jti).toBe(first.access?.origin_jti);
  expect(await page.evaluate(() => window.auth.fetchUserAttributes())).toMatchObject({ email, email_verified: 'true' });
  expect(await page.evaluate(() => window.auth.getCurrentUser())).toMatchObject({ username: 'alice', userId: 'alice' });

  await page.evaluate(() => void window.auth.signOut());
  await expectStatus(page, 'logged out');
  expect(sandbox.events.latest('session.ended', 1)).toMatchObject([{ sub: 'alice' }]);
  expect(sandbox.events.latest('token.revoked', 1)).toMatchObject([{ client_id: 'spa' }]);
  await page.evaluate(() => void window.auth.signInWithRedirect());
  await page.getByRole('button', { name: /alice/i }).waitFor();
});

it('logs in without a page by SRP, its default, and by USER_PASSWORD_AUTH', async () => {
  const page = await open();
  const signIn = (password: string, authFlowType?: 'USER_PASSWORD_AUTH') =>
    page.evaluate(
      async ({ password, options }) => {
        try {
          return await window.auth.signIn({ username: 'alice', password, ...(options && { options }) });
        } catch (error) {
          return String(error);
        }
      },
      { password, options: authFlowType && { authFlowType } },
    );
  const done = { isSignedIn: true, nextStep: { signInStep: 'DONE' } };
  const wrong = 'NotAuthorizedException: Incorrect username or password.';
  expect(await signIn('x')).toBe(wrong);
  expect(await signIn('Alice-password-1')).toEqual(done);
  expect((await session(page, true)).id).toMatchObject({ 'cognito:username': 'alice', token_use: 'id' });
  await page.evaluate(() => window.auth.signOut({ global: true }));
  expect(await signIn('x', 'USER_PASSWORD_AUTH')).toBe(wrong);
  expect(await signIn('Alice-password-1', 'USER_PASSWORD_AUTH')).toEqual(done);
});

it('signs up, confirms, resets the password, and changes it', async () => {
  const page = await open();
  const username = 'bob';
  const [password, other] = ['Bob-password-1', 'Other-password-1'];
  const options = { userAttributes: { email: 'bob@example.com' } };
  expect(await page.evaluate(input => window.auth.signUp(input), { username, password, options })).toMatchObject({
    nextStep: { signUpStep: 'CONFIRM_SIGN_UP', codeDeliveryDetails: { destination: 'b***@e***' } },
  });
  expect(await page.evaluate(input => window.auth.signIn(input), { username, password })).toMatchObject({
    nextStep: { signInStep: 'CONFIRM_SIGN_UP' },
  });
  const confirmed = { username, confirmationCode: '123456' };
  expect(await page.evaluate(input => window.auth.confirmSignUp(input), confirmed)).toMatchObject({
    isSignUpComplete: true,
  });
  await page.evaluate(input => window.auth.resetPassword(input), { username });
  await page.evaluate(input => window.auth.confirmResetPassword(input), { ...confirmed, newPassword: other });
  await page.evaluate(input => window.auth.signIn(input), { username, password: other });
  await page.evaluate(input => window.auth.updatePassword(input), { oldPassword: other, newPassword: password });
  await page.evaluate(() => window.auth.deleteUser());
  const again = page.evaluate(input => window.auth.signIn(input), { username, password });
  await expect(again).rejects.toThrow('Incorrect username or password.');
});
