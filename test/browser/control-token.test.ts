import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, it } from 'vitest';
import { setStage } from './support/stage.ts';

// The dashboard of a sandbox that was started with CONTROL_TOKEN.

const stage = setStage({ controlToken: 'open-sesame' });
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

it.each([
  ['with scripts, wide and light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  [
    'without scripts, narrow and dark',
    { viewport: { width: 360, height: 640 }, colorScheme: 'dark', javaScriptEnabled: false },
  ],
] as const)('is opened by the token once, on the page that was asked for: %s', async (_how, options) => {
  const page = await stage.openPage('/dashboard/tokens?q=client%3Afrontend', options);
  expect(await page.getByTestId('control-token').evaluate(field => field === document.activeElement)).toBe(true);
  await page.keyboard.type('open-barley');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('Wrong token.');
  await page.getByLabel('Control token').fill('open-sesame');
  await page.getByTestId('control-submit').click();
  await page.waitForURL(`${stage.sandbox.url}/dashboard/tokens?q=client%3Afrontend`);
  expect(await page.locator('h1').textContent()).toContain('Tokens');
  await page.goto(`${stage.sandbox.url}/dashboard/settings`);
  await page.getByTestId('settings-sign-out').click();
  await page.getByTestId('control-token').waitFor();
});

it('streams to a page once it is open', async () => {
  const page = await stage.openPage('/dashboard');
  await page.getByTestId('control-token').fill('open-sesame');
  await page.getByTestId('control-submit').click();
  await page.locator('#live.on').waitFor();
});

it('asks in a form that anybody can use', async () => {
  const page = await stage.openPage('/dashboard', { bypassCSP: true });
  await page.getByTestId('control-token').fill('open-barley');
  await page.getByTestId('control-submit').click();
  await page.getByRole('alert').waitFor();
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
});

it('shows the progress of a lesson, whose stream is closed to the page, and copies its commands', async () => {
  const page = await stage.openPage('/lessons/discovery');
  await page.getByTestId('control-token').fill('open-sesame');
  await page.getByTestId('control-submit').click();
  await page.getByTestId('lesson-begin').click();
  const issuer = (await page.getByTestId('lesson-issuer').textContent()) ?? '';
  await fetch(`${issuer}/.well-known/openid-configuration`);
  await expect.poll(() => page.getByTestId('lesson-progress').textContent()).toMatch(/^[1-9] of/);
  const [copy] = await page.getByTestId('lesson-copy').all();
  await copy?.click();
  await expect.poll(() => copy?.textContent()).toBe('Copied');
});
