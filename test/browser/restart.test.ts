import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { authorizationUrl, sensorToken } from '../support/authorization-url.ts';
import { freePort } from '../support/free-port.ts';
import { setApplication } from './support/application.ts';
import { setStage } from './support/stage.ts';

// Pages that are open while the sandbox stops, and another starts at its address.

const port = await freePort();
const stage = setStage({ port });
const app = setApplication(stage);
const restarted = 'The sandbox was restarted and its history is empty.';

/** Until no connection to the sandbox before is used any more: each fetch of a test would take one up. */
async function isReached(): Promise<void> {
  const isThere = () =>
    fetch(`${stage.sandbox.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isThere).toBe(true);
}
beforeEach(isReached);

async function expectText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await expect.poll(() => page.locator(selector).first().textContent()).toMatch(text);
}

const isLive = (page: Page) => expectText(page, '#live', /^Live$/);

async function openLive(path: string): Promise<Page> {
  const page = await stage.openPage(path);
  await isLive(page);
  return page;
}

async function restart(config: SandboxConfig = {}): Promise<void> {
  await stage.restart({ port, ...config });
  await isReached();
  stage.browser.takeTroubles(); // refused connections, in Chromium's words
}

/** The page is told that the sandbox is gone. */
async function stop(page: Page): Promise<void> {
  await stage.sandbox.stop();
  await expectText(page, '#live', /^Reconnecting$/);
}

async function saysRestarted(page: Page): Promise<void> {
  const bar = page.getByTestId('shell-restarted');
  await bar.waitFor();
  expect(await bar.textContent()).toContain(restarted);
  await expectText(page, '#announce', restarted);
  stage.browser.takeTroubles();
}

describe('after a restart', () => {
  it.each([
    ['fewer', 0],
    ['more', 3],
  ])('a list drops its rows in each tab and says why, when %s tokens were issued since', async (_, since) => {
    await sensorToken(stage.sandbox);
    const tabs = [await openLive('/dashboard/tokens'), await openLive('/dashboard/tokens')];
    const gone = await tabs[0]?.locator('tbody tr').getAttribute('id');
    await restart();
    for (let count = 0; count < since; count++) await sensorToken(stage.sandbox);
    for (const tab of tabs) {
      await saysRestarted(tab);
      await isLive(tab);
      await expect.poll(() => tab.locator('tbody tr').count()).toBe(since);
      expect(await tab.locator(`#${gone}`).count()).toBe(0);
      expect(await tab.locator('#restarted a').isVisible()).toBe(false);
    }
    await sensorToken(stage.sandbox);
    for (const tab of tabs) await expect.poll(() => tab.locator('tbody tr').count()).toBe(since + 1);
    await tabs[0]?.reload();
    expect(await tabs[0]?.getByTestId('shell-restarted').isVisible()).toBe(false);
  });

  it('a page of a token that is gone says so', async () => {
    await sensorToken(stage.sandbox);
    const page = await openLive('/dashboard/tokens/latest');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Access token for client sensor');
    await restart();
    await saysRestarted(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('No such token');
  });

  it('a paused list announces the restart, keeps its rows, and drops them when it is resumed', async () => {
    await sensorToken(stage.sandbox);
    const page = await openLive('/dashboard/tokens');
    await page.locator('#pause').click();
    await restart();
    await saysRestarted(page);
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.locator('#pause').click();
    await page.locator('#empty').waitFor();
  });

  it('a page keeps typed input that was not sent, also on a list', async () => {
    await sensorToken(stage.sandbox);
    const page = await openLive('/dashboard/tokens');
    await page.getByTestId('filter-input').fill('client:mine');
    await restart();
    await saysRestarted(page);
    await page.locator('h1').click();
    expect(await page.getByTestId('filter-input').inputValue()).toBe('client:mine');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.locator('#restarted a').click();
    await page.locator('#empty').waitFor();
  });

  it('the answer to a form stays, because to load it again would be to send the form again', async () => {
    const page = await openLive('/dashboard/decode');
    await page.locator('main textarea').first().fill('e30.e30.x');
    await page.locator('main button[type=submit]').first().click();
    await isLive(page);
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    await restart();
    await saysRestarted(page);
    expect(await page.locator('body[data-same]').count()).toBe(1);
    expect(await page.locator('#restarted a').isVisible()).toBe(false);
  });
});

describe('while the sandbox is away', () => {
  it('a form of the dashboard is kept, says why, and is sent once the sandbox is back', async () => {
    const page = await openLive('/dashboard/clients');
    await page.getByTestId('clients-create').click();
    await page.getByTestId('clients-new-id').fill('typed-here');
    await stop(page);
    const button = page.getByTestId('clients-new-submit');
    await button.click();
    const line = page.locator('form [role=status]');
    await expect.poll(() => line.textContent()).toContain('Not sent: the sandbox does not answer.');
    expect(await line.count()).toBe(1);
    expect(await page.getByTestId('clients-new-id').inputValue()).toBe('typed-here');
    await restart();
    await button.click();
    await page.waitForURL('**/dashboard/clients/typed-here*');
  });

  it.each([
    ['picker', 'login-sub'],
    ['password', 'login-username'],
  ] as const)('the form of a login by %s is kept and sent likewise', async (loginMode, field) => {
    await restart({ loginMode });
    const page = await (await stage.profile()).newPage();
    await page.goto(authorizationUrl(stage.sandbox, app.callback));
    for (const closed of await page.locator('details.more:not([open]):has([data-testid=login-sub]) > summary').all())
      await closed.click();
    await page.getByTestId(field).fill('alice');
    if (loginMode === 'password') await page.getByTestId('login-password').fill('any');
    await stage.sandbox.stop();
    const submit = page.getByTestId('login-submit').first();
    await submit.click();
    await expect.poll(() => page.locator('form [data-not-sent]').textContent()).toContain('Not sent');
    expect(await page.getByTestId(field).inputValue()).toBe('alice');
    await restart({ loginMode });
    await submit.click();
    await page.waitForURL(`${app.callback}?*`);
    expect(new URL(page.url()).searchParams.has('code')).toBe(true);
  });
});

it('says that it is signed out, and leads back to the page', async () => {
  await restart({ controlToken: 'open-sesame' });
  const page = await stage.openPage('/dashboard/tokens');
  await page.getByTestId('control-token').fill('open-sesame');
  await page.getByTestId('control-submit').click();
  await isLive(page);
  await page.context().clearCookies();
  await restart({ controlToken: 'open-sesame' });
  await expectText(page, '#live', /^Signed out$/);
  expect(await page.getByTestId('shell-disconnected').isVisible()).toBe(false);
  await page.getByTestId('shell-signed-out').getByRole('link').click();
  await page.getByTestId('control-token').fill('open-sesame');
  await page.getByTestId('control-submit').click();
  await page.waitForURL('**/dashboard/tokens');
  stage.browser.takeTroubles();
});
