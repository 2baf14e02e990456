import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { work } from '../extensions/lessons/workshop/learner.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

const lesson = 'client-credentials';
let browser: TestBrowser;
let sandbox: Sandbox;
beforeAll(async () => {
  const port = await freePort();
  browser = await openBrowser();
  // a name that is not of loopback over plain HTTP, as in a room: no secure context
  const issuer = `http://app.test:${port}`;
  sandbox = await createSandbox({ port, issuer, workshop: 2, controlToken: 'trainer' });
});
// without a secure context Chromium says that it ignores a header, which is for HTTPS and localhost
afterEach(() => {
  const troubles = browser.takeTroubles().filter(trouble => !trouble.includes('Cross-Origin-Opener-Policy'));
  expect(troubles).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

it('a learner and the trainer see by themselves what the other does, without a secure context', async () => {
  const learner = await (await browser.newContext()).newPage();
  await learner.goto(`${sandbox.issuer}/`);
  expect(await learner.evaluate(() => isSecureContext)).toBe(false);
  await learner.getByTestId('join-take').focus();
  await learner.keyboard.press('Enter');
  const name = (await learner.getByTestId('join-seat').textContent()) ?? '';
  await learner.getByTestId('join-lessons').click();
  await learner.goto(`${sandbox.issuer}/i/${name}/lessons/${lesson}`);
  await learner.getByTestId('lesson-begin').click();
  await learner.getByTestId('lesson-issuer').waitFor();

  const context = await browser.newContext();
  const board = await context.newPage();
  await board.goto(`${sandbox.issuer}/room`);
  await board.getByTestId('room-key').fill('trainer');
  await board.getByTestId('room-sign-in').click();
  await board.goto(`${sandbox.issuer}/room/lessons/${lesson}`);
  await work(`${sandbox.url}/i/${lesson}-${name}`, lesson, 'token');
  await expect.poll(() => board.locator('[data-seat] .cell').first().textContent()).toContain('done');

  await learner.getByTestId('shell-hand-button').click();
  await expect.poll(() => board.getByTestId('room-hand').count()).toBe(1);
  await board.getByTestId('room-hand').click();
  await learner.getByText('Raise your hand').waitFor();

  const controls = await context.newPage();
  await controls.goto(`${sandbox.issuer}/room/controls`);
  await controls.getByTestId('controls-message').fill('Stop, look up.');
  await controls.getByTestId('controls-say').click();
  await controls.getByTestId('controls-lesson').selectOption('discovery');
  await controls.getByTestId('controls-call').click();
  await learner.getByText('Your trainer says: Stop, look up.').waitFor();
  await learner.getByTestId('shell-lesson-link').waitFor();
  await controls.getByTestId('controls-unsay').click();
  await controls.getByTestId('controls-uncall').click();
  await learner.getByTestId('shell-message').waitFor({ state: 'detached' });

  await controls.goto(`${sandbox.issuer}/room/controls`);
  await controls.getByTestId('controls-hint').selectOption(`${lesson}/scope/0`);
  await controls.getByTestId('controls-release').click();
  await expect
    .poll(() => learner.locator('#hints-scope').textContent())
    .toContain('Take the first line of this lesson');
});

it('the board is up to date without scripts, once it has loaded itself again', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const board = await context.newPage();
  await board.goto(`${sandbox.issuer}/room`);
  await board.getByTestId('room-key').fill('trainer');
  await board.getByTestId('room-sign-in').click();
  expect(await board.locator('meta[http-equiv=refresh]').getAttribute('content')).toBe('5');
  await board.getByTestId('room-controls').click();
  await board.getByTestId('controls-hold').click();
  expect(await board.getByTestId('controls-holding').textContent()).toContain('All seats hold token responses');
});
