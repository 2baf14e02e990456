import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../scripts/chromium.mjs';

const isRoot = process.getuid?.() === 0;

/** Playwright would give up after 30 s, which a page takes on a machine that is ten times as busy. */
const timeout = 120_000;

/** A real browser, in which whatever should not happen on a page is written down. */
export interface TestBrowser {
  /** A fresh profile: cookies, storage and cache of its own. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** What went wrong since it was last asked: requests that would leave this machine, breaches of the CSP, scripts that failed. */
  takeTroubles(): string[];
  close(): Promise<void>;
}

/** The files of a worker share one Chromium, which ends with the worker: starting it costs two seconds of work. */
let shared: Promise<Browser> | undefined;

/**
 * Opens Chromium; `app.test` is this machine in it, and names that are not of this machine do not resolve. With a port it
 * is a Chromium of its own, which other tools can drive.
 */
export async function openBrowser({ debuggingPort }: { readonly debuggingPort?: number } = {}): Promise<TestBrowser> {
  const own = debuggingPort === undefined ? undefined : await launch([`--remote-debugging-port=${debuggingPort}`]);
  const browser = own ?? (await sharedBrowser());
  const contexts: BrowserContext[] = [];
  const troubles: string[] = [];
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      context.setDefaultTimeout(timeout);
      contexts.push(context);
      watch(context, troubles);
      return context;
    },
    takeTroubles: () => troubles.splice(0),
    async close() {
      await Promise.all(contexts.map(context => context.close()));
      await own?.close();
    },
  };
}

function sharedBrowser(): Promise<Browser> {
  shared ??= launch([]);
  return shared;
}

/** `npm test` has installed it where that is possible: no test installs anything. */
export async function chromiumPath(): Promise<string> {
  const found = await findChromium();
  if (found !== undefined) return found;
  throw new Error(
    'The browser tests need Chromium: `node scripts/chromium.mjs` installs it; or say where it is with CHROMIUM_PATH.',
  );
}

/** Playwright gives each launch a new user data directory and removes it again. */
async function launch(extra: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    timeout,
    chromiumSandbox: !isRoot,
    args: [
      '--headless',
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...extra,
      '--host-resolver-rules=MAP app.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
    ],
  });
}

function watch(context: BrowserContext, troubles: string[]): void {
  context.on('request', request => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !isLoopback(hostname)) troubles.push(`request to ${request.url()}`);
  });
  context.on('page', page => watchPage(page, troubles));
}

function watchPage(page: Page, troubles: string[]): void {
  // A refused request is an answer, and tests look at it; everything else Chromium calls an error is one, CSP above all.
  page.on('console', message => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) troubles.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', error => troubles.push(`${page.url()}: ${error.message}`));
  page.on('dialog', dialog => {
    troubles.push(`${page.url()}: dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
}

function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', 'app.test'].includes(hostname) || hostname.endsWith('.localhost');
}
