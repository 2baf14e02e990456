import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { setStage } from './support/stage.ts';

const stage = setStage();
let axe: string;

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});

/** Ids of the rules that a page breaks, and whether it is wider than its window. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: axe });
  const expression = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))";
  const { result } = await client.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...(result.value as string[]), ...(isWide ? ['wider than the window'] : [])]; // as the expression returns it
}

async function press(page: Page, testId: string): Promise<void> {
  await page.getByTestId(testId).focus();
  await page.keyboard.press('Enter');
}

describe('the playground', () => {
  it.each([
    [360, 'light'],
    [1280, 'dark'],
    [1920, 'light'],
  ] as const)('runs the code with PKCE by keyboard at %i px, %s', async (width, colorScheme) => {
    const page = await stage.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(`${stage.sandbox.url}/playground`);
    expect(await faultsOf(page)).toEqual([]);
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
    expect(await faultsOf(page)).toEqual([]);
  });
});
