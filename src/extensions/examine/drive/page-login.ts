import type { ExamLogin, ExamSignIn, ExamSteps } from '../driver.ts';
import type { Taken } from '../exam-module.ts';

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
  goto?(url: string): Promise<unknown>;
}

/** All that the page keeps; undefined for one that has no storage, such as an error page of the browser. */
async function storedIn(page: SeenPage): Promise<string | undefined> {
  const storages = '[localStorage, sessionStorage].flatMap(each => Object.values({ ...each })).join("\\n")';
  return page.evaluate?.(storages).then(String, () => undefined);
}

/** Shorter than the time of a module, so that a text that does not come is a refusal. */
const patience = 10_000;

type PageScript<Page> = (signIn: PageSignIn<Page>) => unknown;
type Open<Page> = () => Promise<OpenedContext<Page>>;

/** A page of a script, and its browser context. */
interface Opened<Page> {
  readonly context: OpenedContext<Page>;
  readonly page: Page;
}

async function openPage<Page>(open: Open<Page>): Promise<Opened<Page>> {
  const context = await open();
  context.setDefaultTimeout(patience);
  return { context, page: await context.newPage() };
}

/** The end of a step that a script takes on a page. */
async function takenOn<Page extends SeenPage>(
  { context, page }: Opened<Page>,
  script: PageScript<Page>,
  { issuer, module, step, signal }: ExamSignIn,
): Promise<Taken> {
  signal.addEventListener('abort', () => void context.close());
  const told = await script({ page, issuer, module });
  const right = step === 'sign-out' ? 'nobody' : 'somebody';
  if (typeof told !== 'boolean')
    throw new TypeError(`the script returned ${told}, expected true (${right} is signed in) or false`);
  const url = page.url();
  const seen = { url, stored: await storedIn(page) };
  return { believed: told !== (step === 'sign-out'), said: url.replace(/[?#].*/s, ''), page: seen };
}

/** Signs in by a script of Playwright, in a new browser context each time. The script returns whether somebody is signed in. */
export function pageLogin<Page extends SeenPage>(open: Open<Page>, script: PageScript<Page>): ExamLogin {
  return async at => {
    const opened = await openPage(open);
    try {
      return await takenOn(opened, script, at);
    } finally {
      await opened.context.close();
    }
  };
}

/** The functions of a script of Playwright, one for each step. */
export interface PageScripts<Page> {
  readonly login: PageScript<Page>;
  readonly logout?: PageScript<Page> | undefined;
  readonly check?: PageScript<Page> | undefined;
}

/** The steps by such a script: those after a sign-in go on in its page, which stays open until the next sign-in of the module. */
export function pageSteps<Page extends SeenPage>(
  open: Open<Page>,
  { login, logout, check }: PageScripts<Page>,
): ExamSteps {
  if (logout === undefined && check === undefined) return { login: pageLogin(open, login) };
  const kept = new Map<string, Opened<Page>>();
  const later =
    (script: PageScript<Page>): ExamLogin =>
    async at => {
      const opened = kept.get(at.module);
      if (opened === undefined) throw new Error('nobody has signed in before');
      if (at.open !== undefined) await opened.page.goto?.(at.open);
      return takenOn(opened, script, at);
    };
  return {
    async login(at) {
      await kept.get(at.module)?.context.close();
      const opened = await openPage(open);
      kept.set(at.module, opened);
      return takenOn(opened, login, at);
    },
    logout: logout && later(logout),
    check: check && later(check),
  };
}
