import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../../src/index.ts';
import { createSandbox } from '../../support/bundle.ts';
import { openBrowser, type TestBrowser } from './chromium.ts';

/** What the tests of a file work with: one browser, and for each test a sandbox and a profile of its own. */
export interface Stage {
  readonly browser: TestBrowser;
  readonly sandbox: Sandbox;
  /** Another sandbox in the place of the one that runs. */
  restart(config: SandboxConfig): Promise<void>;
  /** The profile of this test. The first caller, also after it was closed, chooses its options. */
  profile(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page in a new profile, in the place of the one before. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** One more page of that profile, at a path of the sandbox. */
  openPage(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Sets up what `Stage` says, and strikes it: after each test nothing may have gone wrong in the browser. */
export function setStage(config: SandboxConfig = {}): Stage {
  let browser: TestBrowser;
  let sandbox: Sandbox;
  let context: BrowserContext | undefined;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    sandbox = await createSandbox(config);
  });
  afterEach(async () => {
    await context?.close();
    await sandbox.stop();
    expect(browser.takeTroubles()).toEqual([]);
  });
  afterAll(() => browser.close());

  async function profile(options?: BrowserContextOptions): Promise<BrowserContext> {
    if (context !== undefined) return context;
    const made = await browser.newContext(options);
    made.once('close', () => {
      context = undefined;
    });
    context = made;
    return made;
  }
  return {
    get browser() {
      return browser;
    },
    get sandbox() {
      return sandbox;
    },
    async restart(config) {
      await sandbox.stop();
      sandbox = await createSandbox(config);
    },
    profile,
    async newPage(options) {
      await context?.close();
      return (await profile(options)).newPage();
    },
    async openPage(path, options) {
      const page = await (await profile(options)).newPage();
      await page.goto(sandbox.url + path);
      return page;
    },
  };
}
