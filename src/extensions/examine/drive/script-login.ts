import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { CommandFailure } from '../../../client/cli/command.ts';
import { importFile } from '../../../sandbox/config/clients-file.ts';
import type { ExamSteps } from '../driver.ts';
import { type OpenedContext, pageSteps } from './page-login.ts';

/** Where a script is looked for, and what it runs in. */
export interface ScriptPlace {
  readonly cwd: string;
  /** The path of a browser, or a channel of Playwright such as `chrome`; undefined: the Chromium that Playwright has installed. */
  readonly browser: string | undefined;
}

// The part of Playwright that is used here. The app brings Playwright itself.
interface Browser {
  newContext(options: { readonly ignoreHTTPSErrors: boolean }): Promise<OpenedContext<{ url(): string }>>;
  close(): Promise<void>;
}
interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath?: string; readonly channel?: string }): Promise<Browser>;
  };
}

type Scripts = Parameters<typeof pageSteps>[1];

/**
 * The steps by a Playwright script of the app: its default export is called with a page of a new browser context, the issuer and the
 * module, and returns whether somebody is signed in. Its exports `logout` and `check` go on with this page. `close` ends the browser.
 * @throws CommandFailure for a file that is no such script, or without Playwright and a browser
 */
export async function scriptSteps(file: string, { cwd, browser }: ScriptPlace): Promise<ExamSteps> {
  const path = resolve(cwd, file);
  const scripts = await scriptsIn(path, file);
  const opened = await openBrowser(playwrightNear([dirname(path), cwd]), browser);
  const steps = pageSteps(() => opened.newContext({ ignoreHTTPSErrors: true }), scripts);
  return { ...steps, login: Object.assign(steps.login, { close: () => opened.close() }) };
}

async function scriptsIn(path: string, file: string): Promise<Scripts> {
  const wanted = 'Export a function: export default async ({ page, issuer, module }) => true or false.';
  try {
    const exported = (await importFile(path, false)) as Readonly<Record<string, unknown>>;
    const [login, logout, check] = ['default', 'logout', 'check'].map(
      name => (typeof exported[name] === 'function' ? (exported[name] as Scripts['login']) : undefined), // its result is checked
    );
    if (login !== undefined) return { login, logout, check };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`--login-script: ${file} cannot be loaded: ${reason}`);
  }
  throw new CommandFailure(`--login-script: ${file} has no function as its default export`, 1, wanted);
}

function playwrightNear(folders: readonly string[]): Playwright {
  for (const folder of folders) {
    const near = createRequire(join(folder, 'login.js'));
    for (const name of ['playwright', 'playwright-core', '@playwright/test']) {
      try {
        return near(name) as Playwright;
      } catch (error) {
        if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
      }
    }
  }
  throw new CommandFailure(
    '--login-script needs Playwright, which is not installed in the folder of the script',
    1,
    'Run npm install --save-dev playwright there, and npx playwright install chromium.',
  );
}

async function openBrowser({ chromium }: Playwright, browser: string | undefined): Promise<Browser> {
  const isPath = browser !== undefined && /[\\/]/.test(browser);
  try {
    return await chromium.launch(
      browser === undefined ? {} : isPath ? { executablePath: browser } : { channel: browser },
    );
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n', 1);
    throw new CommandFailure(
      `Playwright cannot start ${browser ?? 'its Chromium'}: ${reason}`,
      1,
      'Run npx playwright install chromium, or name a browser that is there, such as --browser chrome or --browser /usr/bin/chromium.',
    );
  }
}
