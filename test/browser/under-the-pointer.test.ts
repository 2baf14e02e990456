import type { Locator, Page, Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { refresh, sensorToken } from '../support/authorization-url.ts';
import { walkToCode } from '../support/flow-scripts.ts';
import { post, redeem, signIn } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const isLive = (page: Page) => page.locator('#live.on').waitFor();
const show = (page: Page) => page.locator('#show-new');

async function issueMany(): Promise<void> {
  for (let round = 0; round < 4; round++)
    await Promise.all(Array.from({ length: 10 }, () => sensorToken(stage.sandbox)));
}

/** In the page, wherever it is scrolled to, or in the line that stays in view. */
function placesOf(page: Page): Promise<readonly (readonly number[])[]> {
  return page.evaluate(() =>
    ['.follow', '#pause', '[data-live]'].map(selector => {
      const element = document.querySelector(selector);
      const line = element?.closest('.log-head');
      const { left, top } = element?.getBoundingClientRect() ?? new DOMRect();
      return [left, top - (line ? line.getBoundingClientRect().top : -scrollY)].map(Math.round);
    }),
  );
}

/** Where a pointer would aim at the element. */
const middleOf = (element: Locator) =>
  element.evaluate(each => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return [left + width / 2, top + height / 2] as const;
  });

/** Holds the first request to the address, which the page sends after the change. Returns what lets it go on. */
async function holdFirst(page: Page, address: string, change: () => unknown): Promise<() => Promise<void>> {
  const held: (() => void)[] = [];
  await page.route(address, async route => {
    if (held.length === 0) await new Promise<void>(resolve => held.push(resolve));
    await route.continue();
  });
  await change();
  await expect.poll(() => held.length).toBe(1);
  return async () => held[0]?.();
}

/** Presses the element, changes something, waits until the page has heard of it, and releases the button. */
async function pressWhile(page: Page, element: Locator, change: () => Promise<unknown>, heard: string): Promise<void> {
  await element.scrollIntoViewIfNeeded();
  await page.mouse.move(...(await middleOf(element)));
  await page.mouse.down();
  const isHeard = (response: Response) => response.url().includes(heard);
  const [response] = await Promise.all([page.waitForResponse(isHeard), change()]);
  await response.finished();
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve)));
  await page.mouse.up();
}

describe('what is above a live list', () => {
  it.each([
    ['/dashboard/tokens/list', 1280],
    ['/dashboard/tokens/list', 360],
    ['/dashboard/requests', 360],
  ])('stays where it is when new rows wait and when they are shown: %s, %d px', async (path, width) => {
    await issueMany();
    const page = await stage.openPage(path, { viewport: { width, height: 720 } });
    await isLive(page);
    const places = await placesOf(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await sensorToken(stage.sandbox);
    await show(page).waitFor();
    expect(await placesOf(page)).toEqual(places);
    await page.evaluate(() => scrollTo(0, 0));
    await show(page).waitFor({ state: 'hidden' });
    expect(await placesOf(page)).toEqual(places);
  });

  it('takes a click that begins before new rows are shown and ends after that', async () => {
    await issueMany();
    const page = await stage.openPage('/dashboard/tokens/list');
    await isLive(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await sensorToken(stage.sandbox);
    await show(page).waitFor();
    const follow = page.getByTestId('live-follow');
    const [x, y] = await follow.evaluate(box => {
      scrollTo(0, 0);
      const { left, top, width, height } = box.getBoundingClientRect();
      return [left + width / 2, top + height / 2] as const;
    });
    await page.mouse.move(x, y);
    await page.mouse.down();
    await show(page).waitFor({ state: 'hidden' });
    await page.mouse.up();
    expect(await follow.isChecked()).toBe(true);
  });
});

describe('a part that is drawn again', () => {
  it('waits on Home, when the pointer comes while it is fetched', async () => {
    const page = await stage.openPage('/dashboard');
    await isLive(page);
    const release = await holdFirst(page, '**/dashboard/api/v1/home', () => sensorToken(stage.sandbox));
    await pressWhile(page, page.getByTestId('home-mint'), release, '/api/v1/home');
    await page.waitForURL('**/dashboard/tokens#mint');
  });

  it('waits in a list, until what is pressed in it is released', async () => {
    const { refresh_token } = await signIn(stage.sandbox.url, 'alice', { scope: 'openid offline_access' });
    const page = await stage.openPage('/dashboard/tokens');
    await isLive(page);
    // as in Safari, where a press does not focus a link
    await page.evaluate(() => addEventListener('mousedown', event => event.preventDefault()));
    const chip = page.locator('tbody .chip:not(.gone)').last();
    await pressWhile(page, chip, () => refresh(stage.sandbox, refresh_token), '/rows?');
    await page.waitForURL('**/dashboard/tokens/tok_*');
  });

  it('waits in a part that follows the clock, when the pointer comes while it is fetched', async () => {
    const page = await stage.openPage('/dashboard/clock');
    await isLive(page);
    const release = await holdFirst(page, '**/dashboard/clock', () => stage.sandbox.clock.freeze());
    await pressWhile(page, page.getByTestId('clock-reset'), release, '/dashboard/clock');
    await page.waitForURL('**/dashboard/clock?done=*');
  });

  it('waits in a flow that runs, until what is pressed in it is released', async () => {
    const { code } = await walkToCode(stage.sandbox.url);
    const page = await stage.openPage('/dashboard/flows/latest');
    await isLive(page);
    const step = page.getByTestId('flow-step-3');
    const go = () => redeem(stage.sandbox.url, code);
    await pressWhile(page, step.locator('summary'), go, new URL(page.url()).pathname);
    expect(await step.evaluate(details => (details as HTMLDetailsElement).open)).toBe(true);
  });
});

describe('a value that a list cuts', () => {
  const name = 'a_name_that_is_longer_than_each_of_the_columns_of_a_list';
  const lists = [
    '/requests',
    '/flows',
    '/tokens',
    '/tokens/list',
    '/problems',
    '/clients',
    '/users',
    '/scopes',
    '/report',
  ];

  it.each([1280, 1000, 375])('ends in an ellipsis, and is whole in its title, at %d px', async width => {
    const { clients, users, scopes, url } = stage.sandbox;
    const client_secret = 'secret';
    await clients.create({ client_id: name, client_name: name, client_secret, grant_types: ['client_credentials'] });
    await users.create({ sub: `user_${name}`, claims: { name, email: `${name}@example.com`, roles: [name, name] } });
    await scopes.create({ name, description: name });
    for (const secret of [client_secret, 'wrong']) {
      const authorization = `Basic ${btoa(`${name}:${secret}`)}`;
      await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization });
    }
    const page = await stage.openPage('/dashboard', { viewport: { width, height: 800 } });
    for (const path of lists) {
      await page.goto(`${url}/dashboard${path}`);
      expect(await page.getByText(name.slice(0, 30)).count(), path).toBeGreaterThan(0);
      const badlyCut = await page.locator('main td, main td :not(input, textarea)').evaluateAll(all =>
        all
          .filter(({ clientWidth, scrollWidth }) => clientWidth > 2 && scrollWidth > clientWidth + 1)
          .filter(each => getComputedStyle(each).overflowX !== 'visible' && each.closest('.vh') === null)
          .filter(each => {
            const isTitled = each.closest('[title]') !== null || each.querySelector('[title]') !== null;
            return !isTitled || getComputedStyle(each).textOverflow !== 'ellipsis';
          })
          .map(each => each.outerHTML),
      );
      expect(badlyCut, path).toEqual([]);
    }
  });
});

describe('the menu of a row', () => {
  it('opens beside its row in a list that is scrolled, and scrolls with it', async () => {
    await issueMany();
    const page = await stage.openPage('/dashboard/tokens/list');
    await isLive(page);
    const dots = page.locator('.dots').nth(30);
    await dots.click();
    const menu = page.locator('#row-menu');
    await page.getByTestId('menu-copy-token').waitFor();
    const gap = async () => {
      const [below, above] = [await menu.boundingBox(), await dots.boundingBox()];
      return Math.round((below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0));
    };
    expect(await gap()).toBe(0);
    await page.mouse.wheel(0, 40);
    await expect.poll(gap).toBe(0);
    expect(await menu.isVisible()).toBe(true);
  });

  it('does not take the keys of a user who is elsewhere when it has been fetched', async () => {
    await sensorToken(stage.sandbox);
    const page = await stage.openPage('/dashboard/tokens/list');
    await isLive(page);
    const release = await holdFirst(page, '**/tok_*/menu', () => page.locator('.dots').click());
    await page.keyboard.press('/');
    const [response] = await Promise.all([page.waitForResponse('**/tok_*/menu'), release()]);
    await response.finished();
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve)));
    await page.keyboard.type('user:alice');
    expect(await page.getByTestId('filter-input').inputValue()).toBe('user:alice');
  });
});
