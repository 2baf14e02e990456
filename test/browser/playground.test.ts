import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { grants } from '../../src/extensions/lessons/playground/grants.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const isWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

async function press(page: Page, testId: string): Promise<void> {
  await page.getByTestId(testId).focus();
  await page.keyboard.press('Enter');
}

/** Whether the button that runs the step is seen whole, with nothing above it. */
async function canBePressed(page: Page): Promise<boolean> {
  await page.waitForLoadState(); // a new page has its elements before its styles
  return page.evaluate(() => {
    const run = document.querySelector('[data-testid="playground-send"], [data-testid="playground-visit"]');
    if (run === null) return false;
    const { left, right, top, bottom } = run.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    return isInside && document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === run;
  });
}

/** Expects it at the top of the page and at its end, and one filled button. */
async function expectRunInView(page: Page, place: string): Promise<void> {
  await page.waitForLoadState();
  for (const end of [0, 1]) {
    await page.evaluate(at => scrollTo(0, at * document.documentElement.scrollHeight), end);
    expect([place, end, await canBePressed(page)]).toEqual([place, end, true]);
  }
  expect([place, await page.locator('.button.primary').count()]).toEqual([place, 1]);
  expect([place, await isWide(page)]).toEqual([place, false]);
}

const sizes = [
  [1280, 800],
  [375, 800],
] as const;

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
    await page.getByTestId('playground-prediction').focus();
    await page.keyboard.press('ArrowDown');
    await press(page, 'playground-send');
    expect(await page.getByTestId('playground-verdict').textContent()).toBe('Your guess was right.');
    expect(await page.getByTestId('playground-meets').textContent()).toBe('they meet');
    expect(await isWide(page)).toBe(false);
  });

  it.each(sizes)(
    'keeps the button that runs a step in view at %i×%i, before and after each step',
    async (width, height) => {
      const page = await stage.newPage({ viewport: { width, height } });
      await page.goto(`${stage.sandbox.url}/playground/code`);
      for (const [index, step] of ['authorize', 'token', 'userinfo'].entries()) {
        await page.getByRole('heading', { name: `${index + 1}. ` }).waitFor();
        expect([step, await canBePressed(page)]).toEqual([step, true]);
        await expectRunInView(page, step);
        await page.locator('[data-testid="playground-send"], [data-testid="playground-visit"]').click();
        if (step === 'authorize') await page.getByTestId('login-user-bob').click();
        await page.getByTestId('playground-answer').waitFor();
        expect([step, await canBePressed(page)]).toEqual([step, true]);
        await expectRunInView(page, `${step}, answered`);
        if (step !== 'userinfo') await page.getByTestId('playground-next').click();
      }
    },
  );

  it.each(sizes)('keeps it in view at %i×%i at each step of each grant', async (width, height) => {
    const page = await stage.newPage({ viewport: { width, height } });
    for (const { id, steps } of grants) {
      await page.goto(`${stage.sandbox.url}/playground/${id}`);
      for (const [index, step] of steps.entries()) {
        if (index > 0) await page.getByTestId(`playground-step-${index + 1}`).click();
        await page.getByRole('heading', { name: `${index + 1}. ${step.title}` }).waitFor();
        await expectRunInView(page, `${id}, ${step.id}`);
      }
    }
  });

  it('shows the answer beside the parameters where there is room, and below them on a telephone', async () => {
    const page = await stage.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${stage.sandbox.url}/playground/client-credentials?client=sensor`);
    await page.getByTestId('playground-send').click();
    const answer = page.getByTestId('playground-answer');
    const request = page.locator('section[aria-labelledby="request"]');
    const boxes = async () => [await request.boundingBox(), await answer.boundingBox()];
    const [left, right] = await boxes();
    expect(right?.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0));
    expect(right?.y).toBe(left?.y);
    await page.setViewportSize({ width: 375, height: 800 });
    const [above, below] = await boxes();
    expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0));
    expect(below?.x).toBe(above?.x);
  });

  it('opens the explanation of the parameter that has the focus, and no click misses its button', async () => {
    const page = await stage.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${stage.sandbox.url}/playground/code`);
    const opened = page.locator('.play-field details[open]');
    await page.getByTestId('playground-field-state').focus();
    expect(await opened.innerText()).toContain('Comes back unchanged.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => opened.allInnerTexts()).toEqual([expect.stringContaining('Comes back in the ID token')]);
    await page.getByRole('button', { name: 'Wrong value for login_hint' }).click();
    await page.getByTestId('playground-restore').waitFor();
    expect(await page.getByTestId('playground-field-login_hint').inputValue()).toBe('nobody');
  });

  it('keeps what is typed at once: the command, the address of the state and the step have it', async () => {
    const page = await stage.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${stage.sandbox.url}/playground/code`);
    await page.evaluate(() => {
      navigator.clipboard.writeText = async text => {
        document.body.dataset.copiedText = text;
      };
    });
    const copied = () => page.evaluate(() => document.body.dataset.copiedText);
    const field = page.getByTestId('playground-field-scope');
    await field.fill('openid mine');
    await page.getByTestId('playground-copy-curl').click();
    await expect.poll(copied).toContain('scope=openid+mine');
    expect(await page.locator('#play-address').textContent()).toContain('set.scope=openid+mine');
    expect(await page.locator('#play-steps').innerText()).toContain('changed');
    expect(await page.getByTestId('playground-restore').count()).toBe(1);
    // back to the value that the page began with
    await field.fill('openid profile');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect.poll(copied).toContain('scope=openid+profile');
  });

  it('sends the answer to an app whose address is typed', async () => {
    const page = await stage.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${stage.sandbox.url}/playground/code?client=frontend`);
    await page.getByTestId('playground-redirect').fill('http://localhost:5174/back');
    expect(await page.getByRole('radio', { name: 'my app at' }).isChecked()).toBe(true);
    await page.getByTestId('playground-choose').click();
    expect(await page.getByTestId('playground-own-redirect').innerText()).toContain('http://localhost:5174/back');
  });
});
