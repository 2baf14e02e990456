import { jsonParts } from '../../base/text/json-parts.ts';
import type { LoggedOutPage, LogoutPage, NoAnswerPage } from '../../protocol/endpoints/endpoint.ts';
import type { ExplanationView } from '../../record/problems/explain.ts';
import { httpUrl, referenceUrl } from './reference.ts';
import { renderTemplate } from './render-template.ts';
import type { PageBrand } from './signin/brand.ts';
import type { ConsentView } from './signin/consent-view.ts';
import type { ApprovalsView, DeviceView, SignInView } from './signin/decision-views.ts';
import type { Language } from './signin/language.ts';
import type { LoginView } from './signin/login-details.ts';

export { httpUrl, referenceForm, referenceUrl } from './reference.ts';

/** Facts about the sandbox that every page shows. */
export interface Look {
  /** Tells two running sandboxes apart; empty for none. */
  readonly label: string;
  readonly issuer: string;
  /** Path of the issuer, which precedes all its paths; mostly empty. */
  readonly base: string;
  readonly version: string;
  /** True if there is a dashboard to link to. */
  readonly dashboard: boolean;
  /** Ids of elements that tests of applications select on the pages of a provider; without a preset there are none. */
  readonly ids?: PageIds | undefined;
  /** Sentences about the drop-in relaxations that are on. */
  readonly relaxed?: () => Promise<readonly string[]>;
}

/** Ids of elements on the login page and on the logout page. The inputs have the ids `username` and `password` by default. */
export interface PageIds {
  readonly username?: string;
  readonly password?: string;
  readonly loginForm?: string;
  readonly loginButton?: string;
  /** The name of that button in the form. */
  readonly loginButtonName?: string;
  /** The value of the login button, whose name is `action`. */
  readonly loginAction?: string;
  readonly loginError?: string;
  readonly logoutButton?: string;
}

export interface NoAnswerView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: NoAnswerPage;
  /** Address of the same authorization request. */
  readonly again: string;
  readonly requestId: string;
}

export interface LogoutView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: LogoutPage;
  /** Name of the signed-in user; the `sub` if the user is unknown. */
  readonly userName: string;
  readonly action: string;
  /** The checked request, sent again with the `decision`. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface LoggedOutView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: LoggedOutPage;
  /** Addresses of front-channel clients. If there are any, the page redirects once they are loaded. */
  readonly frames: readonly string[];
  /** `client_name` by `client_id`. */
  readonly names: ReadonlyMap<string, string | undefined>;
}

export interface CheckSessionView {
  /** The name of the cookie with the state of the login. */
  readonly cookie: string;
}

export interface ErrorView {
  readonly language: Language;
  readonly status: number;
  readonly error: string;
  readonly reason: string;
  readonly description: string;
  readonly sent?: string | undefined;
  readonly expected?: string | undefined;
  /** Default: the `fix` of the reason. Likewise for `rfc`. */
  readonly fix?: string | undefined;
  readonly rfc?: string | undefined;
  readonly requestId?: string | undefined;
  /** The request's page in the dashboard. */
  readonly detailsUrl?: string | undefined;
  /** Whether the page offers to load the same address again. */
  readonly canRetry?: boolean;
  /** The text that *Copy details* copies. */
  readonly copied?: string;
  /** The whole explanation, shown in place of the values and the fix. */
  readonly explained?: ExplanationView | undefined;
}

export interface FormPostView {
  readonly language: Language;
  /** The client's redirect URI. */
  readonly action: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface PostedMessageView {
  readonly language: Language;
  /** The origin of the window that may read the message. */
  readonly origin: string;
  readonly message: unknown;
}

/** One function per template; each gives the whole page as HTML. */
export interface Views {
  login(view: LoginView): Promise<string>;
  noAnswer(view: NoAnswerView): Promise<string>;
  consent(view: ConsentView): Promise<string>;
  signIn(view: SignInView): Promise<string>;
  device(view: DeviceView): Promise<string>;
  approvals(view: ApprovalsView): Promise<string>;
  logout(view: LogoutView): Promise<string>;
  loggedOut(view: LoggedOutView): Promise<string>;
  checkSession(view: CheckSessionView): Promise<string>;
  error(view: ErrorView): Promise<string>;
  formPost(view: FormPostView): Promise<string>;
  message(view: PostedMessageView): Promise<string>;
  /** A template under `dashboard/`. */
  dashboard(template: string, view: object): Promise<string>;
  /** Any other template, by its path, in English. */
  page(template: string, view: object): Promise<string>;
}

export interface ViewsOptions {
  readonly templatesFolder: string;
  readonly look: Look;
}

/** The pages of one issuer. */
export function createViews({ templatesFolder, look }: ViewsOptions): Views {
  const host = URL.canParse(look.issuer) ? new URL(look.issuer).host : look.issuer;

  async function render(template: string, view: object): Promise<string> {
    const relaxed = (await look.relaxed?.()) ?? [];
    const data = { ...view, look: { ...look, host, relaxed }, httpUrl, referenceUrl, grouped, jsonParts };
    return renderTemplate(`${templatesFolder}/${template}.ejs`, data);
  }

  async function page(template: string, view: object): Promise<string> {
    const { english } = await import('./signin/language.ts');
    return render(template, { language: english, ...view });
  }

  return {
    async login(view) {
      const { clientFacts } = await import('./signin/client-facts.ts');
      const { loginDetails } = await import('./signin/login-details.ts');
      const facts = clientFacts(view.page.client, view.page.request.redirect_uri, view.language);
      return render('login', { ...view, details: loginDetails(view), facts });
    },
    noAnswer: view => render('no-answer', view),
    consent: view => render('consent', view),
    signIn: view => render('sign-in', view),
    device: view => render('device', view),
    approvals: view => render('approvals', view),
    logout: view => render('logout', view),
    loggedOut: view => render('logged-out', { ...view, back: backTo(view.page.returnTo) }),
    checkSession: view => render('check-session', view),
    error: async view => render('error', await withFix(view)),
    formPost: view => render('form-post', view),
    message: view => render('message', view),
    dashboard: (template, view) => page(`dashboard/${template}`, view),
    page,
  };
}

/**
 * The address that leads back to the application. It may have an app's own scheme, which contains a period (RFC 8252
 * §7.1).
 */
function backTo(uri: string | undefined): string | undefined {
  return uri !== undefined && (httpUrl(uri) !== undefined || /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:/i.test(uri))
    ? uri
    : undefined;
}

/** `12 345`, with thin spaces. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

async function withFix(view: ErrorView): Promise<ErrorView> {
  if (view.explained !== undefined) return view;
  const { fixFor } = await import('../../record/problems/reasons/index.ts');
  const known = fixFor(view.reason);
  return { ...view, fix: view.fix ?? known?.fix, rfc: view.rfc ?? known?.rfc };
}
