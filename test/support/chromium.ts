import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const run = promisify(execFile);
const usualPlaces = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const isRoot = process.getuid?.() === 0;

/** A real browser, in which whatever should not happen on a page is written down. */
export interface TestBrowser {
  /** A fresh profile: cookies, storage and cache of its own. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** What went wrong since it was last asked: requests that would leave this machine, breaches of the CSP, scripts that failed. */
  takeTroubles(): string[];
  close(): Promise<void>;
}

/** Launches Chromium; `app.test` is this machine in it, and names that are not of this machine do not resolve. With a port, other tools can drive it. */
export async function openBrowser({ debuggingPort }: { readonly debuggingPort?: number } = {}): Promise<TestBrowser> {
  const extra = debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`];
  const browser = await launch(await findChromium(), extra);
  const troubles: string[] = [];
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      watch(context, troubles);
      return context;
    },
    takeTroubles: () => troubles.splice(0),
    close: () => browser.close(),
  };
}

/** Playwright gives each launch a new user data directory and removes it again. */
function launch(executablePath: string, extra: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath,
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

/** Where it is; installed where that is possible. */
export async function findChromium(): Promise<string> {
  const found = await firstExecutable();
  if (found !== undefined) return found;
  if (isRoot && (await isThere('/etc/debian_version', constants.R_OK))) {
    await installChromium();
    const installed = await firstExecutable();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH; looked at ${places().join(', ')}.`,
  );
}

function places(): string[] {
  const { CHROMIUM_PATH } = process.env;
  return CHROMIUM_PATH === undefined ? usualPlaces : [CHROMIUM_PATH, ...usualPlaces];
}

async function firstExecutable(): Promise<string | undefined> {
  for (const place of places()) {
    if (await isThere(place, constants.X_OK)) return place;
  }
  return undefined;
}

async function isThere(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

async function installChromium(): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env });
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env });
}
