import { describe, expect, it } from 'vitest';
import { builtIn } from '../../src/extensions/lessons/built-in.ts';
import { solverOf } from '../../src/extensions/lessons/solvers.ts';
import { createParticipant } from '../../src/extensions/lessons/trial/participant.ts';
import { isFullMatrix } from '../support/matrix.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
/** All lessons have the same page, so that one of them is enough for each run. */
const ids = isFullMatrix ? builtIn.map(lesson => lesson.id) : ['client-credentials'];

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
    const predict = async (question: string) => {
      await page.getByTestId(`lab-prediction-${question}`).getByRole('radio').first().focus();
      await page.keyboard.press('Space');
      await press(`lesson-answer-${question}`);
    };
    await predict('predict');
    await press('lab-attack-attack');
    await expectDone('attack');
    await press('lab-defend');
    await predict('predict-again');
    await press('lab-attack-again');
    await expectDone('again');
    expect(await page.locator('.lab-differs').count()).toBeGreaterThan(0);
  });

  it('keeps the focus on a step while other requests redraw it', async () => {
    const page = await stage.openPage(`/lessons/${id}`);
    await page.getByTestId('lesson-begin').click();
    await page.getByRole('radio').first().check();
    await page.getByTestId('lesson-answer-predict').click();
    const steps = page.locator('[data-testid^="lab-step-"]');
    const last = (await steps.last().getAttribute('data-testid')) ?? '';
    await page.getByTestId(last).focus();
    const other = await stage.openPage(`/lessons/${id}`);
    await other.getByTestId('lab-attack-attack').click();
    await expect.poll(() => page.getByTestId(last).textContent()).toContain('Run it again');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe(last);
  });
});
