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

describe('the commands of a lesson', () => {
  const begin = async (path: string, options = {}) => {
    const page = await stage.openPage(path, options);
    await page.getByTestId('lesson-begin').click();
    await page.getByTestId('lesson-issuer').waitFor();
    return page;
  };

  it('are not copied while a box is empty, and have its value as soon as it is pasted', async () => {
    const page = await begin('/lessons/refresh');
    const command = page.getByTestId('lesson-command').filter({ hasText: 'YOUR_CODE' });
    await command.getByTestId('lesson-copy').first().click();
    expect(await page.getByRole('alert').textContent()).toBe('Not copied. Missing: the code from the address bar.');
    const box = page.locator('#field-code');
    expect(await box.evaluate(element => element === document.activeElement)).toBe(true);
    await box.fill('http://localhost:3000/callback?code=abc&state=xyz');
    await box.blur();
    const redeem = page.getByTestId('lesson-command').filter({ hasText: 'grant_type=authorization_code' });
    await expect.poll(() => redeem.textContent()).toContain('-d code=abc ');
    expect(await box.inputValue()).toBe('abc');
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.reload();
    expect(await box.inputValue()).toBe('abc');
  });

  it('keep the shell that the learner chose, and are sent from the page without leaving it', async () => {
    const page = await begin('/lessons/client-credentials');
    const first = page.locator('#command-token-1');
    await first.locator('label', { hasText: 'PowerShell' }).click();
    expect(await first.locator('[data-form="powershell"]').isVisible()).toBe(true);
    expect(await first.locator('[data-form="bash"]').isVisible()).toBe(false);
    expect(await page.locator('#command-call-2 [data-form="powershell"]').isVisible()).toBe(true);
    await first.locator('label', { hasText: 'Send from this page' }).click();
    await page.getByTestId('lesson-send-token-1').click();
    await expect.poll(() => first.getByTestId('lesson-answer').textContent()).toContain('"access_token"');
    expect(await page.locator('#field-access_token').inputValue()).toMatch(/^eyJ/);
    await expect.poll(() => page.getByTestId('lesson-state-token').textContent()).toContain('Done');
    await page.reload();
    expect(await page.locator('#command-call-2 [data-form="page"]').isVisible()).toBe(true);
  });

  it('are sent without scripts as well', async () => {
    const page = await begin('/lessons/client-credentials', { javaScriptEnabled: false });
    await page.locator('#command-token-1').locator('label', { hasText: 'Send from this page' }).click();
    await page.getByTestId('lesson-send-token-1').click();
    expect(await page.getByTestId('lesson-answer').textContent()).toContain('"access_token"');
  });
});

describe('the picture of a lesson', () => {
  it('lights up with a request from a terminal, and is gone through step by step', async () => {
    const page = await stage.openPage('/lessons/client-credentials', { reducedMotion: 'reduce' });
    await page.getByTestId('lesson-begin').click();
    const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
    const picture = page.getByTestId('lesson-picture');
    expect(await picture.locator('li.sent').count()).toBe(0);
    const form = { grant_type: 'client_credentials', scope: 'telemetry:all' };
    const headers = { Authorization: `Basic ${btoa('greenhouse:tomato')}` };
    await fetch(`${issuer}/oauth2/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
    await picture.locator('li.refused').waitFor();
    expect(await picture.locator('li').nth(1).getByRole('link').count()).toBe(1);
    expect(
      await picture
        .locator('.picture-step')
        .first()
        .evaluate(step => step.getAnimations().length),
    ).toBe(0);
    for (const at of [1, 2, 3, 4]) {
      await page.getByTestId('lesson-picture-step').click();
      expect(await picture.getByRole('status').textContent()).toBe(`${at} of 4`);
      expect(
        await picture.locator('li').evaluateAll(all => all.findIndex(each => each.classList.contains('now'))),
      ).toBe(at - 1);
    }
    await page.getByTestId('lesson-picture-step').click();
    expect(await picture.locator('.now').count()).toBe(0);
  });
});

const loaded = await Promise.all(
  builtIn.map(async ({ id, load }) => ({
    id,
    isLab: (await load()).lesson.lab?.suspects === undefined && (await load()).lesson.lab !== undefined,
  })),
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

it('leads from the list through a lesson to its end and to Recall, on a phone without scripts', async () => {
  const page = await stage.openPage('/lessons', { javaScriptEnabled: false, viewport: { width: 375, height: 800 } });
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(await fits()).toBe(true);
  await page.getByTestId('lessons-mistakes').click();
  await page.getByTestId('mistake').nth(30).waitFor(); // a click does not wait for the next page
  expect(await fits()).toBe(true);
  await page.getByRole('link', { name: 'All lessons' }).click();
  await page.getByTestId('lessons-continue').click();
  await page.getByTestId('lesson-begin').click();
  const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
  for (const { solve } of Object.values(await solverOf('discovery')))
    await solve(createParticipant(issuer, 'discovery'));
  const answer = async (option: string) => {
    await page.locator(`#quiz-same ~ form input[value="${option}"]`).check();
    await page.getByTestId('lesson-answer-same').click();
  };
  await answer('a');
  await answer('c');
  const isDone = async () => {
    await page.reload();
    return page.getByTestId('lesson-end').isVisible();
  };
  await expect.poll(isDone).toBe(true);
  expect(await page.getByTestId('lesson-end').textContent()).toContain('The server describes itself');
  await page.getByTestId('lesson-next').click();
  expect(new URL(page.url()).pathname).toBe('/lessons/client-credentials');
  await page.getByRole('link', { name: 'All lessons' }).click();
  expect(await page.getByTestId('lessons-done').textContent()).toMatch(/^1 of/);
  await page.getByTestId('lessons-recall').click();
  expect(await page.getByTestId('recall-later').textContent()).toContain('in one day');
  expect(await fits()).toBe(true);
});
