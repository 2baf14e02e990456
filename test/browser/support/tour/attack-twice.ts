import type { Page } from 'playwright-core';

/** Begins the lab of the page, and attacks with the defence off and on. Each click waits for its answer: the next one would end it. */
export async function attackTwice(page: Page): Promise<void> {
  for (const testid of ['lesson-begin', 'lab-attack-attack', 'lab-defend', 'lab-attack-again']) {
    const loaded = page.waitForEvent('load');
    await page.getByTestId(testid).click();
    await loaded;
  }
}
