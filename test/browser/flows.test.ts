import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { logInAndCall, walkToCode } from '../support/flow-scripts.ts';
import { get, redeem, verifier } from '../support/wire.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let sandbox: Sandbox;
let context: BrowserContext;

beforeAll(async () => {
  browser = await openBrowser();
  sandbox = await createSandbox({ loginRateLimit: 0 });
});
beforeEach(() => sandbox.reset());
afterEach(async () => {
  await context.close();
  expect(browser.takeTroubles()).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(sandbox.url + path);
  return page;
}

async function failedLogin(): Promise<void> {
  const { code } = await walkToCode(sandbox.url);
  await (await redeem(sandbox.url, code, { code_verifier: `${verifier}x` })).arrayBuffer();
}

const isOpen = (page: Page, step: number) =>
  page.getByTestId(`flow-step-${step}`).evaluate(details => (details as HTMLDetailsElement).open);

describe('a flow with scripts off', () => {
  it('opens and closes its steps, and presents them one by one', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows', { javaScriptEnabled: false });
    await page.getByTestId('flow-row').getByRole('link').first().click();
    await page.getByTestId('flow-step-3').locator('summary').click();
    expect(await isOpen(page, 3)).toBe(true);
    await page.getByTestId('flow-step-3').getByText('The id under which the app is registered').waitFor();
    await page.getByTestId('flow-present').click();
    await page.getByTestId('flow-next').click();
    await page.getByTestId('flow-next').click();
    expect(await page.locator('.seq > li').count()).toBe(3);
    await page.getByTestId('flow-step-3').getByText('Why:').waitFor();
    await page.getByTestId('flow-previous').click();
    expect(await page.locator('.seq > li').count()).toBe(2);
    await page.getByTestId('flow-whole').click();
    expect(await page.locator('.seq > li').count()).toBe(11);
  });

  it('hides its secrets by a link', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest', { javaScriptEnabled: false });
    const choose = async (what: string) => {
      await page.getByTestId('flow-menu').click();
      await page.getByTestId(what).click();
    };
    await choose('flow-hide');
    await choose('flow-print');
    expect(await page.content()).not.toContain(verifier);
    await choose('flow-hide');
    expect(await page.content()).toContain(verifier);
  });

  it('leads from a refusal to its explanation', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest', { javaScriptEnabled: false });
    expect(await page.getByTestId('flow-status').textContent()).toBe('Refused: PKCE, step 8');
    expect(await isOpen(page, 8)).toBe(true);
    await page.getByTestId('flow-explain').click();
    expect(new URL(page.url()).pathname).toMatch(/^\/dashboard\/problems\//);
  });
});

describe('a flow with the keyboard alone', () => {
  it('goes from step to step, opens and closes one or all', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    expect(await isOpen(page, 2)).toBe(true);
    await page.keyboard.press(']');
    expect([await isOpen(page, 1), await isOpen(page, 10)]).toEqual([true, true]);
    await page.keyboard.press('[');
    expect([await isOpen(page, 1), await isOpen(page, 8)]).toEqual([false, false]);
    await page.keyboard.press('u');
    await page.getByTestId('flows-list').waitFor();
  });

  it('presents with n and p', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest?step=1');
    for (const [key, count] of [
      ['n', 2],
      ['n', 3],
      ['p', 2],
    ] as const) {
      await page.keyboard.press(key);
      await page.waitForURL(({ search }) => search === `?step=${count}`);
      expect(await page.locator('.seq > li').count()).toBe(count);
    }
  });
});

describe('a flow that is presented', () => {
  it('loses no press of n, and counts the steps', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest?step=1');
    await page.evaluate(() => {
      for (let press = 0; press < 5; press++) document.dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }));
    });
    await page.waitForURL(({ search }) => search === '?step=6');
    expect(await page.getByTestId('flow-counter').textContent()).toBe('Step 6 of 11');
    expect(await page.locator('.seq > li').count()).toBe(6);
    await page.goBack();
    await page.waitForURL(({ search }) => search === '?step=5');
    await page.getByText('Step 5 of 11').waitFor();
  });
});

describe('a flow on a stage', () => {
  it('goes by the keys of a keyboard and of a clicker, and loses none that come fast', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest?step=1');
    const counter = page.getByTestId('flow-counter');
    // all at once: the step before is not on the page yet when the key for it is pressed
    await page.evaluate(
      keys => {
        for (const key of keys) document.dispatchEvent(new KeyboardEvent('keydown', { key }));
      },
      [' ', 'ArrowRight', 'PageDown', 'ArrowRight', 'ArrowLeft', 'PageDown', 'PageUp'],
    );
    await page.getByText('Step 4 of 11').waitFor();
    await page.keyboard.press('End');
    await page.getByText('Step 11 of 11').waitFor();
    await page.keyboard.press('Home');
    await page.getByText('Step 1 of 11').waitFor();
    await page.keyboard.press('b');
    expect(await page.evaluate(() => document.body.className)).toContain('dark-screen');
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.body.className)).not.toContain('dark-screen');
    expect(await counter.textContent()).toBe('Step 1 of 11');
  });

  it('plays again, and stops in red at the refusal with its reason and fix', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest');
    await page.clock.install();
    await page.getByTestId('flow-menu').click();
    await page.getByTestId('flow-play-again').click();
    await page.getByText('Step 1 of').waitFor();
    await expect.poll(() => page.getByTestId('flow-play').textContent()).toBe('Pause');
    for (let step = 2; step <= 8; step++) {
      await page.clock.runFor(2500);
      await page.getByText(`Step ${step} of`).waitFor();
    }
    await expect.poll(() => page.getByTestId('flow-play').textContent()).toBe('Play again');
    const refusal = page.getByTestId('flow-refusal-8');
    expect(await refusal.innerText()).toMatch(/invalid_grant[\s\S]*How to fix it/);
    await page.clock.runFor(10_000);
    expect(await page.getByTestId('flow-counter').textContent()).toContain('Step 8 of');
  });

  it('fills the screen, and gives it back', async () => {
    await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest?step=1');
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement?.id === 'main');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Step 2 of 11').waitFor();
    expect(await page.evaluate(() => document.fullscreenElement?.id)).toBe('main');
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.fullscreenElement === null);
  });
});

describe('a flow that runs', () => {
  it('appears step by step, keeps opened steps open, the focus and the copy buttons, and ends in red at a refusal', async () => {
    const { code } = await walkToCode(sandbox.url);
    const page = await open('/dashboard/flows/latest');
    const token = page.locator('.seq > li', { has: page.getByTestId('flow-step-8') });
    expect(await token.getAttribute('class')).toContain('never-reached');
    await page.getByTestId('flow-step-3').locator('summary').click();
    await (await redeem(sandbox.url, code, { code_verifier: `${verifier}x` })).arrayBuffer();
    await expect.poll(() => token.getAttribute('class')).toMatch(/refused.* arrives/);
    expect(await isOpen(page, 3)).toBe(true);
    const focused = () => page.evaluate(() => document.activeElement?.parentElement?.dataset.testid);
    expect(await focused()).toBe('flow-step-3');
    expect(await page.locator('[data-copy="share-command"]').isVisible()).toBe(true);
    expect(await page.getByTestId('flow-refusal').innerText()).toContain('How to fix it');
    expect(await page.locator('#announce').textContent()).toContain('POST /oauth2/token');
  });
});

describe('a flow that a problem leads to', () => {
  it('shows the refused step below the names of the lanes, and no words of the step before', async () => {
    await failedLogin();
    const page = await open('/dashboard/problems/latest', { viewport: { width: 1280, height: 600 } });
    await page.getByTestId('problem-flow').click();
    await page.waitForURL('**#step-8');
    const [names, before, step] = await Promise.all(
      ['.lane-names', '#step-7 .label', '#step-8 .label'].map(each => page.locator(each).boundingBox()),
    );
    const below = (names?.y ?? 0) + (names?.height ?? 0);
    expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThanOrEqual(below);
    expect(step?.y).toBeGreaterThanOrEqual(below);
    const refusal = page.getByTestId('flow-refusal-8');
    expect(await refusal.innerText()).toMatch(/^Refused: The code_verifier .*Explain and fix$/s);
  });
});

describe('a flow on any screen', () => {
  it.each([1280, 861, 860, 360, 320])('fits %i px, with all steps open and step by step', async width => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest?print=1', { viewport: { width, height: 800 } });
    for (const path of ['?print=1', '?step=8', '']) {
      await page.goto(new URL(path, page.url()).href);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });

  it('draws each arrow from lane to lane, with its head where it goes', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest', { viewport: { width: 1280, height: 800 } });
    const centres = await page.locator('.lane-names span').evaluateAll(lanes =>
      lanes.map(lane => {
        const { left, width } = lane.getBoundingClientRect();
        return left + width / 2;
      }),
    );
    for (const [step, from, to] of [
      [3, 0, 2],
      [6, 2, 0],
      [8, 1, 2],
      [10, 1, 3],
    ] as const) {
      const arrow = page.getByTestId(`flow-step-${step}`).locator('.arrow');
      const { left, right } = await arrow.evaluate(each => each.getBoundingClientRect().toJSON());
      const [first = 0, last = 0] = [centres[Math.min(from, to)], centres[Math.max(from, to)]];
      expect(Math.abs(left - first)).toBeLessThan(2);
      expect(Math.abs(right - last)).toBeLessThan(2);
      const side = from < to ? 'right' : 'left';
      const head = await arrow.evaluate((each, at) => getComputedStyle(each, '::after').getPropertyValue(at), side);
      expect(head).toBe('-1px');
    }
  });

  it('tells recorded, unseen, refused and never reached apart, in words and in drawing', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest', { viewport: { width: 1280, height: 800 } });
    const looks = async (step: number) => {
      const details = page.getByTestId(`flow-step-${step}`);
      const [style, colour] = await details.locator('.arrow').evaluate(arrow => {
        const { borderBottomStyle, borderBottomColor } = getComputedStyle(arrow);
        return [borderBottomStyle, borderBottomColor];
      });
      return { style, colour, words: await details.locator('.signs').textContent() };
    };
    const [unseen, recorded, response, refused, never] = await Promise.all([1, 3, 6, 8, 10].map(looks));
    expect(unseen).toMatchObject({ style: 'dotted', words: expect.stringContaining('not observed') });
    expect(recorded).toMatchObject({ style: 'solid', words: expect.stringContaining('front channel') });
    expect(response).toMatchObject({ style: 'dashed', words: expect.stringContaining('response') });
    expect(refused).toMatchObject({ style: 'solid', words: expect.stringContaining('refused') });
    expect(never).toMatchObject({ words: expect.stringContaining('never reached') });
    expect(new Set([recorded, refused, never].map(each => each?.colour)).size).toBe(3);
  });

  it('becomes a timeline with names on a phone', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest', { viewport: { width: 360, height: 800 } });
    expect(await page.locator('.lane-names').isVisible()).toBe(false);
    expect(await page.getByTestId('flow-step-8').locator('.route').isVisible()).toBe(true);
    expect(await page.getByTestId('flow-step-8').locator('.route').textContent()).toBe('Client to Server:');
  });

  it('is printed without the navigation, with its steps', async () => {
    await failedLogin();
    const page = await open('/dashboard/flows/latest?print=1');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation', { name: 'Dashboard' }).isVisible()).toBe(false);
    for (const step of [1, 8, 10]) {
      expect(await page.getByTestId(`flow-step-${step}`).locator('.step-why').isVisible()).toBe(true);
    }
  });
});

describe('the live pages', () => {
  it('count up how long the app leaves a code, until it has expired', async () => {
    await walkToCode(sandbox.url);
    const page = await open('/dashboard/flows');
    const row = page.getByTestId('flow-row');
    await row.getByText(/^App has not redeemed the code \([1-9]\d? s\)$/).waitFor();
    await sandbox.clock.advance(120);
    await row.getByText('Code expired, never redeemed').waitFor();
  });

  it('put a new flow on top of the list', async () => {
    const page = await open('/dashboard/flows');
    await page.getByTestId('shell-live').getByText('Live').waitFor();
    await failedLogin();
    await page.getByTestId('flow-row').getByText('Refused: PKCE').waitFor();
  });

  it('say that an open flow has become longer, and move nothing', async () => {
    const { access_token } = await logInAndCall(sandbox.url);
    const page = await open('/dashboard/flows/latest');
    await page.getByTestId('shell-live').getByText('Live').waitFor();
    await (await get(`${sandbox.url}/api/products/1`, { authorization: `Bearer ${access_token}` })).arrayBuffer();
    await page.getByText('1 new request in this flow').waitFor();
    expect(await page.locator('.seq > li').count()).toBe(11);
    await page.getByRole('link', { name: 'reload' }).click();
    await page.getByTestId('flow-step-12').waitFor();
  });
});
