import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { authorizationUrl, refresh, sensorToken } from '../support/authorization-url.ts';
import { get, signIn } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

// Home while others sign in: each place keeps its height, and new things appear in it.

const stage = setStage();
const rounds = 10;

/** Six sign-ins, of several users, with calls of the API, a refresh, a problem, and a client that acts for itself. */
async function signInOften(round: number): Promise<void> {
  for (const sub of ['alice', 'bob', 'carol']) await signIn(stage.sandbox.url, sub);
  const { access_token, refresh_token } = await signIn(stage.sandbox.url, 'bob', {
    scope: 'openid offline_access products:read',
  });
  await get(`${stage.sandbox.url}/api/products`, { authorization: `Bearer ${access_token}` });
  await refresh(stage.sandbox, refresh_token);
  await signIn(stage.sandbox.url, 'carol');
  await get(authorizationUrl(stage.sandbox, `https://shop-${round}.example/a/rather/long/callback/of/an/app`));
  await sensorToken(stage.sandbox);
  await signIn(stage.sandbox.url, 'alice');
}

async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver(list => {
      for (const entry of list.getEntries())
        Object.assign(window, { shifted: shiftsOf(window) + Number(Reflect.get(entry, 'value')) });
    }).observe({ type: 'layout-shift' });
    function shiftsOf(of: object): number {
      return Number(Reflect.get(of, 'shifted'));
    }
  });
}

const shifted = (page: Page) => page.evaluate(() => Number(Reflect.get(window, 'shifted')));

const places = (page: Page) =>
  page
    .locator('[data-part]')
    .evaluateAll(all =>
      all.map(each => [each.id, (each as HTMLElement).offsetTop, (each as HTMLElement).offsetHeight]),
    );

describe.each([
  [1280, 800],
  [375, 760],
])('Home, %i pixels wide', (width, height) => {
  it('does not move while 60 sign-ins arrive', async () => {
    await signIn(stage.sandbox.url);
    const page = await stage.openPage('/dashboard', { viewport: { width, height } });
    await expect.poll(() => page.locator('#live').textContent()).toBe('Live');
    const before = await places(page);
    expect(before.map(([id]) => id)).toEqual(['home-hero', 'home-problem', 'home-tokens', 'home-apps']);
    await watchShifts(page);
    for (let round = 0; round < rounds; round++) await signInOften(round);
    await expect.poll(() => page.getByTestId('home-application').first().textContent()).toContain('61 sign-ins');
    await expect.poll(() => page.locator('#hero-title').textContent()).toContain('Alice');
    await expect.poll(() => page.getByTestId('home-comparison').textContent()).toContain(`shop-${rounds - 1}.`);
    expect(await places(page)).toEqual(before);
    expect(await shifted(page)).toBeLessThanOrEqual(0.02);
  });
});

it('Home copies the newest token of a kind with one click', async () => {
  const { access_token } = await signIn(stage.sandbox.url, 'alice', { scope: 'openid products:read' });
  const page = await stage.openPage('/dashboard', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByTestId('home-copy').first().click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(access_token);
});
