import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { TestBrowser } from '../test/browser/support/chromium.ts';
import { createAgent } from '../test/support/agent.ts';
import { createSandbox } from '../test/support/bundle.ts';
import { authorizeQuery, redeem } from '../test/support/wire.ts';

const frameMilliseconds = 80;
const framesPerStep = 12;
const restMilliseconds = { step: 1200, end: 4000 };

interface Frame {
  readonly file: string;
  readonly milliseconds: number;
}

/** What happens while the camera runs; each returns when the server has answered. */
async function* login(url: string): AsyncGenerator<void> {
  const agent = createAgent(url);
  const form = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ scope: 'openid profile products:read' })}`);
  yield;
  const { url: back } = await agent.submit(form, 'login-user-alice');
  yield;
  await (await redeem(url, back.searchParams.get('code') ?? '')).arrayBuffer();
  yield;
}

async function film(page: Page, url: string, frames: string): Promise<readonly Frame[]> {
  const taken: Frame[] = [];
  const take = async (milliseconds: number) => {
    const file = join(frames, `${taken.length}.png`);
    await page.screenshot({ path: file });
    taken.push({ file, milliseconds });
  };
  const steps = login(url);
  await steps.next();
  await page.goto(`${url}/dashboard/flows/latest`);
  await page.getByTestId('shell-live').getByText('Live').waitFor();
  await take(restMilliseconds.step);
  while ((await steps.next()).done !== true) {
    for (let frame = 0; frame < framesPerStep; frame++) await take(frameMilliseconds);
    await take(restMilliseconds.step);
  }
  await take(restMilliseconds.end);
  return taken;
}

/** `img2webp` makes one animated image of the frames; it is part of the Debian package `webp`. */
function writeImage(frames: readonly Frame[], file: string): void {
  const options = frames.flatMap(frame => ['-d', String(frame.milliseconds), frame.file]);
  try {
    execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '80', '-m', '6', ...options, '-o', file], {
      stdio: 'ignore',
    });
  } catch (error) {
    throw new Error('img2webp did not write the image. Install the package webp: apt-get install webp', {
      cause: error,
    });
  }
}

/** Films the page of a flow, which draws a login while it runs: an animated WebP. It needs port 9000. */
export async function filmLogin(browser: TestBrowser, colorScheme: 'light' | 'dark', file: string): Promise<void> {
  const sandbox = await createSandbox({ port: 9000, issuer: 'http://localhost:9000' });
  const frames = await mkdtemp(join(tmpdir(), 'grantbox-frames-'));
  try {
    const context = await browser.newContext({ viewport: { width: 1200, height: 980 }, colorScheme });
    writeImage(await film(await context.newPage(), sandbox.url, frames), file);
    await context.close();
  } finally {
    await rm(frames, { recursive: true });
    await sandbox.stop();
  }
}
