import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createParticipant } from '../lessons/participant.ts';
import { solvers } from '../lessons/solvers.ts';
import { setStage } from '../support/stage.ts';

const stage = setStage();
const id = 'client-credentials';

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  return found.violations.map(each => `${each.id}: ${each.nodes.map(({ html }) => html).join(' | ')}`);
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe('a lesson in a browser', () => {
  it('starts by the keyboard alone, and shows a task as done while a terminal does it', async () => {
    const page = await stage.openPage(`/lessons/${id}`);
    await page.getByTestId('lesson-begin').focus();
    await page.keyboard.press('Enter');
    const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
    const state = page.getByTestId('lesson-state-token');
    expect(await state.textContent()).toContain('Not yet');
    await solvers[id]?.token?.solve(createParticipant(issuer));
    await expect.poll(() => state.textContent()).toContain('Done');
    expect(await page.getByTestId('lesson-progress').textContent()).toMatch(/^1 of \d done$/);
  });

  it.each(['light', 'dark'] as const)('is clean in axe and fits each width in the %s theme', async colorScheme => {
    const page = await stage.openPage(`/lessons/${id}`, { colorScheme });
    await page.getByTestId('lesson-begin').click();
    await page.getByTestId('lesson-hint-token').click();
    for (const path of [`/lessons/${id}`, '/lessons']) {
      await page.goto(stage.sandbox.url + path);
      for (const width of [360, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflow(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
      expect(await violations(page), path).toEqual([]);
    }
  });

  it('works without scripts', async () => {
    const page = await stage.openPage(`/lessons/${id}`, { javaScriptEnabled: false });
    await page.getByTestId('lesson-begin').click();
    const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
    await solvers[id]?.token?.solve(createParticipant(issuer));
    await page.reload();
    expect(await page.getByTestId('lesson-state-token').textContent()).toContain('Done');
  });
});
