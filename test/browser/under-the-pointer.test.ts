import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sensorToken } from '../support/authorization-url.ts';
import { setStage } from '../support/stage.ts';

const stage = setStage();

const isLive = (page: Page) => page.locator('#live.on').waitFor();
const show = (page: Page) => page.locator('#show-new');

async function issueMany(): Promise<void> {
  for (let round = 0; round < 4; round++)
    await Promise.all(Array.from({ length: 10 }, () => sensorToken(stage.sandbox)));
}

/** In the page, wherever it is scrolled to. */
function placesOf(page: Page): Promise<readonly (readonly number[])[]> {
  return page.evaluate(() =>
    ['.follow', '#pause', '[data-live]'].map(selector => {
      const { left, top } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
      return [left, top + scrollY].map(Math.round);
    }),
  );
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
