import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { authorizationUrl } from '../../support/authorization-url.ts';
import { openSite, type Site } from '../../support/site.ts';
import type { Stage } from './stage.ts';

/** The application of a file of tests, which sends its users to the sandbox of the stage. */
export interface Application extends Omit<Site, 'close'> {
  /** Where all logins lead. */
  readonly callback: string;
  /** Its authorization request, in a profile of its own. */
  openLogin(parameters?: Record<string, string>, options?: BrowserContextOptions): Promise<Page>;
  /** The parameters that came back to it. */
  answerAt(page: Page): Promise<Record<string, string>>;
}

/** Puts an application on the stage; what was sent to it is forgotten after each test. */
export function setApplication(stage: Stage): Application {
  let site: Site;

  beforeAll(async () => {
    site = await openSite();
  });
  afterEach(() => {
    site.requests.length = 0;
  });
  afterAll(() => site.close());

  const callback = () => `${site.origin}/callback`;
  return {
    get origin() {
      return site.origin;
    },
    get elsewhere() {
      return site.elsewhere;
    },
    get named() {
      return site.named;
    },
    get requests() {
      return site.requests;
    },
    get callback() {
      return callback();
    },
    async openLogin(parameters = {}, options = {}) {
      const page = await stage.newPage(options);
      await page.goto(authorizationUrl(stage.sandbox, callback(), parameters));
      return page;
    },
    async answerAt(page) {
      await page.waitForURL(url => url.origin === site.origin);
      return Object.fromEntries(new URL(page.url()).searchParams);
    },
  };
}
