import type { Page } from 'playwright-core';

/**
 * Begins the lab of the page, and attacks with the defence off and on, each with a prediction. Each click waits for its answer: the next
 * one would end it.
 */
export async function attackTwice(page: Page): Promise<void> {
  const predicted = ['lesson-answer-predict', 'lesson-answer-predict-again'];
  for (const testid of [
    'lesson-begin',
    predicted[0],
    'lab-attack-attack',
    'lab-defend',
    predicted[1],
    'lab-attack-again',
  ]) {
    if (testid === undefined) continue;
    if (predicted.includes(testid))
      await page.locator(`form:has([data-testid="${testid}"]) input[type="radio"]`).first().check();
    const loaded = page.waitForEvent('load');
    await page.getByTestId(testid).click();
    await loaded;
  }
}
