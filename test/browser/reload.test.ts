import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';

let browser: TestBrowser;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ users: [{ sub: 'ann', claims: { email: 'ann@old.example' } }] });
  browser = await openBrowser();
});
afterAll(async () => {
  await sandbox.stop();
  await browser.close();
});

it('an open page shows the changes of a reload, and the reason of a refused one until it is fixed', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const at = (id: string) => page.locator(`[data-testid="${id}"]`);
  const text = (id: string) => expect.poll(() => at(id).textContent());
  await page.goto(`${sandbox.url}/dashboard/settings`);
  await text('shell-live').toBe('Live');
  expect(await at('settings-file-changes').count()).toBe(0);

  await sandbox.reload({ users: [{ sub: 'ann', claims: { email: 'ann@new.example' } }], codeLifetime: 33 });
  await text('settings-file-changed').toContain('user ann changed (claims.email), CODE_LIFETIME is now 33 (was 60)');
  expect(await at('settings-file-changes').textContent()).toContain('"ann@old.example" → "ann@new.example"');
  const row = page.locator('#effective-settings tr', { hasText: 'CODE_LIFETIME' }).first();
  expect(await row.textContent()).toContain('33');

  await sandbox.reload({ users: [{ sub: '' }], codeLifetime: 33 }).catch(() => {});
  await text('shell-file').toBe('createSandbox refused');
  await text('settings-file-refused').toContain('createSandbox: users[0].sub');
  await page.goto(`${sandbox.url}/dashboard`);
  await at('shell-file').click();
  expect(page.url()).toBe(`${sandbox.url}/dashboard/settings#file`);

  await sandbox.reload({ users: [{ sub: 'ann' }], seed: 'a seed' });
  await expect.poll(() => at('settings-file-refused').count()).toBe(0);
  expect(await at('settings-file-next').textContent()).toContain('SEED');
  expect(await at('shell-file').isVisible()).toBe(false);
  expect(browser.takeTroubles()).toEqual([]);
  await context.close();
});
