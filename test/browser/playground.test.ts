import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { setStage } from './support/stage.ts';

const stage = setStage();

const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

async function press(page: Page, testId: string): Promise<void> {
  await page.getByTestId(testId).focus();
  await page.keyboard.press('Enter');
}

describe('the playground', () => {
  it.each([
    [360, 'light'],
    [1280, 'dark'],
  ] as const)('runs the code with PKCE by keyboard at %i px, %s', async (width, colorScheme) => {
    const page = await stage.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(`${stage.sandbox.url}/playground`);
    expect(await isWide(page)).toBe(false);
    await press(page, 'playground-code');
    await press(page, 'playground-visit');
    await press(page, 'login-user-bob');
    await page.getByTestId('playground-state').waitFor();
    await press(page, 'playground-next');
    await page.getByRole('heading', { name: '2. Exchange the code for tokens' }).waitFor();
    await page.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await press(page, 'playground-send');
    expect(await page.getByTestId('playground-verdict').textContent()).toBe('Your prediction was right.');
    expect(await page.getByTestId('playground-meets').textContent()).toBe('they meet');
    expect(await isWide(page)).toBe(false);
  });
});
