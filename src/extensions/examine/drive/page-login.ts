import type { ExamLogin } from '../driver.ts';

/** The part of a browser context of Playwright that is used here. */
export interface OpenedContext<Page> {
  setDefaultTimeout(milliseconds: number): void;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** The facts that a script is given. */
export interface PageSignIn<Page> {
  /** A page of a new browser context. */
  readonly page: Page;
  /** The issuer of this module, which the app has to use. */
  readonly issuer: string;
  readonly module: string;
}

/** Shorter than the time of a module, so that a text that does not come is a refusal. */
const patience = 10_000;

/** Signs in by a script of Playwright, in a new browser context each time. The script returns whether somebody is signed in. */
export function pageLogin<Page extends { url(): string }>(
  open: () => Promise<OpenedContext<Page>>,
  script: (signIn: PageSignIn<Page>) => unknown,
): ExamLogin {
  return async ({ issuer, module, signal }) => {
    const context = await open();
    signal.addEventListener('abort', () => void context.close());
    try {
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      const believed = await script({ page, issuer, module });
      if (typeof believed !== 'boolean')
        throw new TypeError(`the script returned ${believed}, expected true (somebody is signed in) or false`);
      return { believed, said: page.url().replace(/[?#].*/s, '') };
    } finally {
      await context.close();
    }
  };
}
