import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { authorizationUrl } from '../support/authorization-url.ts';
import { freePort } from '../support/free-port.ts';
import { post } from '../support/wire.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

// What was typed or chosen on a page while the sandbox does not answer, and is sent once it does again.

const port = await freePort();
const stage = setStage({ port });
const app = setApplication(stage);

interface Held {
  readonly config?: SandboxConfig;
  /** Opens the page, and types or chooses something on it. */
  readonly fill: (page: Page) => Promise<void>;
  /** What sends the form. */
  readonly button: string;
  /** What is shown once the form was taken as it was filled in. */
  readonly isSent: (page: Page) => Promise<void>;
}

const clients: SandboxConfig['clients'] = [
  {
    ...{ client_id: 'frontend', redirect_uris: ['http://localhost/callback'], loopback_redirects: true },
    ...{ scope: 'openid profile email', require_consent: true },
  },
  { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
  { client_id: 'bank', client_secret: 'bank-secret', grant_types: ['urn:openid:params:grant-type:ciba'] },
];

/** Somebody who is signed in. */
async function openAs(page: Page, path: string): Promise<void> {
  await page.goto(stage.sandbox.url + path);
  await page.getByTestId('login-user-alice').click();
}

const titled = (title: string | RegExp) => async (page: Page) => {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
};

const held: Readonly<Record<string, Held>> = {
  'the code of a device': {
    config: { clients },
    async fill(page) {
      await openAs(page, '/oauth2/device_verification');
      await page.getByTestId('device-code').fill('BBBB-BBBB');
    },
    button: 'device-continue',
    // the session is gone with the sandbox, and the code goes on with the login
    isSent: async page => {
      await page.waitForURL('**/device_verification?user_code=BBBB-BBBB');
      await titled('Sign in to connect a device')(page);
    },
  },
  'the control token': {
    config: { controlToken: 'open-sesame' },
    async fill(page) {
      await page.goto(`${stage.sandbox.url}/dashboard/clock`);
      await page.getByTestId('control-token').fill('open-sesame');
    },
    button: 'control-submit',
    isSent: titled('Clock'),
  },
  'a new client of the dashboard': {
    async fill(page) {
      await page.goto(`${stage.sandbox.url}/dashboard/clients`);
      await page.getByTestId('clients-create').click();
      await page.getByTestId('clients-new-id').fill('typed-here');
    },
    button: 'clients-new-submit',
    isSent: page => page.waitForURL('**/dashboard/clients/typed-here*'),
  },
};

/** These need the session, which the sandbox has in its memory: here only the browser loses its connection. */
const heldInSession: Readonly<Record<string, Held>> = {
  'a consent with a box unticked': {
    config: { clients },
    async fill(page) {
      await page.goto(authorizationUrl(stage.sandbox, app.callback, { scope: 'openid profile email' }));
      await page.getByTestId('login-user-alice').click();
      await page.getByTestId('consent-scope-email').uncheck();
    },
    button: 'consent-allow',
    async isSent(page) {
      await page.waitForURL(`${app.callback}?*`);
      expect(stage.sandbox.events.latest('consent.granted', 1)[0]?.withheld).toEqual(['email']);
    },
  },
  'an approval': {
    config: { clients },
    async fill(page) {
      const authorization = `Basic ${Buffer.from('bank:bank-secret').toString('base64')}`;
      const form = { scope: 'openid', login_hint: 'alice' };
      await post(`${stage.sandbox.url}/oauth2/bc-authorize`, form, { authorization });
      await openAs(page, '/approvals');
      await page.getByTestId('approval-deny').waitFor();
    },
    button: 'approval-deny',
    isSent: page => page.getByText('Denied. bank will be told.').waitFor(),
  },
  'a logout': {
    config: { clients },
    async fill(page) {
      await openAs(page, '/approvals');
      await page.getByTestId('approvals-switch').waitFor();
      await page.goto(`${stage.sandbox.url}/connect/logout`);
    },
    button: 'logout-confirm',
    isSent: titled('You are signed out'),
  },
};

async function start(config: SandboxConfig = {}): Promise<void> {
  await stage.restart({ port, ...config });
  stage.browser.takeTroubles(); // refused connections, in Chromium's words
}

const all = [
  ...Object.entries(held).map(([name, each]) => ({ name, ...each, isSession: false })),
  ...Object.entries(heldInSession).map(([name, each]) => ({ name, ...each, isSession: true })),
];

describe.each(all)('$name, while the sandbox is away,', ({ config, fill, button, isSent, isSession }) => {
  const leave = (page: Page) => (isSession ? page.context().setOffline(true) : stage.sandbox.stop());
  const comeBack = (page: Page) => (isSession ? page.context().setOffline(false) : start(config));

  it('stays on its page, and is sent once the sandbox is back', async () => {
    await start(config);
    const page = await stage.newPage();
    await fill(page);
    const own = page.url();
    await leave(page);
    await page.getByTestId(button).click();
    await expect.poll(() => page.locator('[data-not-sent]').textContent()).toContain('Not sent');
    expect(page.url()).toBe(own);
    await comeBack(page);
    await page.getByTestId(button).click();
    await isSent(page);
    stage.browser.takeTroubles();
  });

  it('is sent with scripts off, too, when the page of the error is loaded again', async () => {
    await start(config);
    const page = await stage.newPage({ javaScriptEnabled: false });
    await fill(page);
    await leave(page);
    await page.getByTestId(button).click({ noWaitAfter: true });
    await expect.poll(() => page.getByTestId(button).count()).toBe(0); // the page of the error is there
    await comeBack(page);
    await expect.poll(() => isReloaded(page)).toBe(true);
    await isSent(page);
    stage.browser.takeTroubles();
  });
});

/** As by the button of the browser; what it could not send it sends again. */
function isReloaded(page: Page): Promise<boolean> {
  return page.reload({ timeout: 5000 }).then(
    () => true,
    () => false,
  );
}
