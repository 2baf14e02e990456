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

/** The part of a page of Playwright that is used here. */
interface SeenPage {
  url(): string;
  evaluate?(expression: string): Promise<unknown>;
}

/** All that the page keeps; undefined for one that has no storage, such as an error page of the browser. */
async function storedIn(page: SeenPage): Promise<string | undefined> {
  const storages = '[localStorage, sessionStorage].flatMap(each => Object.values({ ...each })).join("\\n")';
  return page.evaluate?.(storages).then(String, () => undefined);
}

/** Shorter than the time of a module, so that a text that does not come is a refusal. */
const patience = 10_000;

/** Signs in by a script of Playwright, in a new browser context each time. The script returns whether somebody is signed in. */
export function pageLogin<Page extends SeenPage>(
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
      const url = page.url();
      return { believed, said: url.replace(/[?#].*/s, ''), page: { url, stored: await storedIn(page) } };
    } finally {
      await context.close();
    }
  };
}
