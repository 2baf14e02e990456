import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { builtIn } from '../../src/lessons/built-in.ts';
import { solverOf } from '../../src/lessons/solvers.ts';
import { createParticipant } from '../../src/lessons/trial/participant.ts';
import { isFullMatrix } from '../support/matrix.ts';
import { setStage } from './support/stage.ts';
import { attackTwice } from './support/tour/attack-twice.ts';

const stage = setStage();
/** All lessons have the same page, so that one of them is enough for each run. */
const ids = isFullMatrix ? builtIn.map(lesson => lesson.id) : ['client-credentials'];

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  return found.violations.map(each => `${each.id}: ${each.nodes.map(({ html }) => html).join(' | ')}`);
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.each(ids)('lesson %s in a browser', async id => {
  const solver = await solverOf(id);
  const [task = ''] = Object.keys(solver);

  it('starts by the keyboard alone, and shows a task as done while a terminal does it', async () => {
    const page = await stage.openPage(`/lessons/${id}`);
    await page.getByTestId('lesson-begin').focus();
    await page.keyboard.press('Enter');
    const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
    const state = page.getByTestId(`lesson-state-${task}`);
    expect(await state.textContent()).toContain('Not yet');
    await solver[task]?.solve(createParticipant(issuer, id));
    await expect.poll(() => state.textContent()).toContain('Done');
    expect(await page.getByTestId('lesson-progress').textContent()).toMatch(/^[1-9] of \d done$/);
  });

  it.each(['light', 'dark'] as const)('is clean in axe and fits each width in the %s theme', async colorScheme => {
    const page = await stage.openPage(`/lessons/${id}`, { colorScheme });
    await page.getByTestId('lesson-begin').click();
    await page.getByTestId(`lesson-hint-${task}`).click();
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
    for (const [task, { solve }] of Object.entries(solver)) {
      // begun again it has a new issuer: a solver may need one in which nothing has happened
      await page.getByTestId('lesson-begin').click();
      await solve(createParticipant((await page.getByTestId('lesson-issuer').textContent()) ?? '', id));
      const done = async () => {
        await page.reload();
        return page.getByTestId(`lesson-state-${task}`).textContent();
      };
      // a request is recorded a moment after its answer has arrived
      await expect.poll(done).toContain('Done');
    }
  });
});

const loaded = await Promise.all(
  builtIn.map(async ({ id, load }) => ({ id, isLab: (await load()).lesson.lab !== undefined })),
);
const labIds = loaded.filter(({ isLab }) => isLab).map(({ id }) => id);

/** All labs have the same page, so that one of them is enough for each run. */
describe.each(isFullMatrix ? labIds : ['refresh-theft'])('lab %s in a browser', id => {
  const looks = isFullMatrix ? (['light', 'dark'] as const) : (['dark'] as const);

  it.each(looks)('is done by the keyboard alone, without scripts, in the %s theme', async colorScheme => {
    const page = await stage.openPage(`/lessons/${id}`, { colorScheme, javaScriptEnabled: false });
    const press = async (testid: string) => {
      await page.getByTestId(testid).focus();
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
    };
    const expectDone = (task: string) =>
      expect
        .poll(async () => {
          await page.reload();
          return page.getByTestId(`lesson-state-${task}`).textContent();
        })
        .toContain('Done');
    await press('lesson-begin');
    await page.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await press('lesson-answer-predict');
    await press('lab-attack-attack');
    await expectDone('attack');
    await press('lab-defend');
    await press('lab-attack-again');
    await expectDone('again');
    expect(await page.locator('.lab-differs').count()).toBeGreaterThan(0);
  });

  it.each(looks)('is clean in axe and fits each width after both attacks in the %s theme', async colorScheme => {
    const page = await stage.openPage(`/lessons/${id}`, { colorScheme });
    await attackTwice(page);
    await page.getByTestId('lab-comparison').waitFor();
    for (const width of [360, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page), `at ${width}`).toBeLessThanOrEqual(0);
    }
    expect(await violations(page)).toEqual([]);
  });
});
