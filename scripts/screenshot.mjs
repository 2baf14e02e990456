// Takes docs/screenshot.png: the page of the access token that alice gets by the dashboard's demo login.
// Wants a built sandbox (npm run build).
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './chromium.mjs';

const root = join(import.meta.dirname, '..');
const { createSandbox } = createRequire(import.meta.url)('../dist/grantbox.cjs');

// the usual port, because it is in the picture
const sandbox = await createSandbox({ port: Number(process.env.PORT ?? 9000) });
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
  await page.goto(`${sandbox.issuer}/dashboard/demo`);
  await page.getByTestId('login-user-alice').click();
  await page.waitForURL('**/dashboard/tokens/**');
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(root, 'docs', 'screenshot.png') });
} finally {
  await browser.close();
  await sandbox.stop();
}
