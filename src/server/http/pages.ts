import type { IncomingMessage } from 'node:http';
import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { type Branding, isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import type {
  ApprovalsPage,
  ConsentPage,
  DevicePage,
  LoggedOutPage,
  LoginPage,
  LogoutPage,
  NoAnswerPage,
  Page,
  SignInPage,
} from '../../protocol/endpoints/endpoint.ts';
import { displayName } from '../../protocol/users/user.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import type { Cookies } from './cookies.ts';
import { rawQuery } from './read-parameters.ts';
import { contextOf } from './request-context.ts';
import {
  checkSessionHeaders,
  consentHeaders,
  dashboardHeaders,
  deviceHeaders,
  loginHeaders,
  logoutHeaders,
} from './security-headers.ts';
import { approvedLogo, branded, type PageBrand, sharedBrand } from './signin/brand.ts';
import { consentView } from './signin/consent-view.ts';
import { approvalsView, deviceView, signInView } from './signin/decision-views.ts';
import type { Word } from './signin/language.ts';
import { languageOf, pageAnswer } from './signin/language.ts';
import type { LoginAgain } from './signin/login-again.ts';
import { scopeWords } from './signin/scope-words.ts';
import { offeredUsers } from './signin/user-cards.ts';
import type { Views } from './views.ts';

/** Renders the pages of the protocol as HTML. */
export function createPages(options: PagesOptions) {
  const { server, base, cookies, views, loginMode } = options;
  const decisions = createDecisionPages(options);

  async function login(page: LoginPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
    const lastUsed = cookies.read(req, cookies.lastUser);
    const shown = await shownFor(options, page, req, page.request.ui_locales);
    const { language } = shown;
    const html = await views.login({
      ...shown,
      users: offeredUsers(server.users.values(), [lastUsed, page.session?.sub, page.hinted?.sub]),
      lastUsed,
      autoLogin: server.autoLogin,
      requestId: contextOf(req).id,
      mode: loginMode,
      action: `${base}/login?${rawQuery(req)}`,
      scopes: page.request.scopes.map(name => scopeWords(name, server.scopes.get(name), language)),
      notice: again?.notice,
      typed: again?.typed,
      editor: again?.editor,
      search: again?.search,
      relaxations: relaxations(page.client),
    });
    return pageAnswer(language, again?.status ?? 200, html, loginHeaders);
  }

  return {
    login,
    signIn: decisions.signIn,
    async render(page: Page, req: IncomingMessage): Promise<Answer> {
      if (page.name === 'login') return login(page, req);
      if (page.name === 'no-answer') return noAnswer(options, page, req);
      if (page.name === 'consent') return consent(options, page, req);
      if (page.name === 'sign-in') return decisions.signIn(page, req);
      if (page.name === 'device') return decisions.device(page, req);
      if (page.name === 'approvals') return decisions.approvals(page, req);
      return sessionPage(options, page, req);
    },
  };
}
export type Pages = ReturnType<typeof createPages>;

/** A page about a client as it is shown: in its language, with the branding of the client. */
async function shownFor<P extends LoginPage | ConsentPage | NoAnswerPage>(
  { branding }: PagesOptions,
  page: P,
  req: IncomingMessage,
  uiLocales?: string,
) {
  const { client, brand } = branded(page.client, branding());
  return { language: languageOf(req, uiLocales), brand, page: { ...page, client } };
}

/** Pages about the end and the state of a session. */
async function sessionPage(
  options: PagesOptions,
  page: Extract<Page, { name: 'logout' | 'logged-out' | 'check-session' }>,
  req: IncomingMessage,
): Promise<Answer> {
  if (page.name === 'logout') return logout(options, page, req);
  if (page.name === 'logged-out') return loggedOut(options, page, req);
  const html = await options.views.checkSession({ cookie: options.cookies.browserState });
  return htmlAnswer(200, html, checkSessionHeaders);
}

async function consent(options: PagesOptions, page: ConsentPage, req: IncomingMessage): Promise<Answer> {
  const { server, base, views } = options;
  const user = loggedInUser(server, page.session);
  const action = `${base}/consent?${rawQuery(req)}`;
  const { scopes, authorizationDetailsTypes: types } = server;
  const { brand, ...shown } = await shownFor(options, page, req, page.request.ui_locales);
  const logo = approvedLogo(page.client, brand);
  const html = await views.consent({
    ...consentView({ ...shown, user, action, scopes, types }),
    brand: { ...brand, logo },
  });
  return pageAnswer(shown.language, 200, html, consentHeaders(logo));
}

async function noAnswer(options: PagesOptions, page: NoAnswerPage, req: IncomingMessage): Promise<Answer> {
  const { base, server, views } = options;
  const again = `${base}${server.paths.authorize}?${rawQuery(req)}`;
  const shown = await shownFor(options, page, req);
  const html = await views.noAnswer({ ...shown, again, requestId: contextOf(req).id });
  return pageAnswer(shown.language, 200, html, loginHeaders);
}

async function logout(
  { server, base, views, branding }: PagesOptions,
  page: LogoutPage,
  req: IncomingMessage,
): Promise<Answer> {
  const language = languageOf(req, page.parameters.ui_locales);
  const user = server.users.get(page.session.sub);
  const userName = user === undefined ? page.session.sub : displayName(user);
  const known = page.client && branded(page.client, branding());
  const html = await views.logout({
    language,
    brand: known?.brand ?? sharedBrand(branding()),
    page: { ...page, ...defined({ client: known?.client }) },
    userName,
    action: base + server.paths.confirmLogout,
    fields: page.parameters,
  });
  return pageAnswer(language, 200, html, loginHeaders);
}

async function loggedOut(
  { server, cookies, views, branding }: PagesOptions,
  page: LoggedOutPage,
  req: IncomingMessage,
): Promise<Answer> {
  const language = languageOf(req, page.ui_locales);
  const frames = page.notices.flatMap(({ channel, url, failure }) =>
    channel === 'front' && failure === undefined ? [url] : [],
  );
  const names = page.notices.map(({ client_id }) => [client_id, server.clients.get(client_id)?.client_name] as const);
  const html = await views.loggedOut({
    language,
    brand: sharedBrand(branding()),
    page,
    frames,
    names: new Map(names),
  });
  return { ...pageAnswer(language, 200, html, logoutHeaders(frames)), cookies: cookies.loggedOut };
}

/**
 * The relaxations of a client. The login page lists them, so that nobody mistakes them for the behaviour of a real
 * server.
 */
function relaxations(client: RegisteredClient): Word[] {
  const relaxed: Readonly<Partial<Record<Word, boolean>>> = {
    relaxed_loopback: client.loopback_redirects,
    relaxed_pkce: !client.require_pkce && !isPublic(client),
    relaxed_password: client.grant_types.includes('password'),
    relaxed_implicit: client.grant_types.includes('implicit'),
    relaxed_rotation: !client.refresh_token_rotation,
  };
  return (Object.keys(relaxed) as Word[]).filter(word => relaxed[word]);
}

/** Pages on which a user decides about a request from another device. They never lead to a client. */
function createDecisionPages({ server, base, cookies, views, loginMode, branding }: PagesOptions) {
  return {
    async signIn(page: SignInPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
      const action = `${base}/login/${page.purpose}?${rawQuery(req)}`;
      const language = languageOf(req);
      const lastUsed = cookies.read(req, cookies.lastUser);
      const html = await views.signIn({
        ...signInView(server, { ...again, page, mode: loginMode, action, lastUsed, language }),
        brand: sharedBrand(branding()),
      });
      return pageAnswer(language, again?.status ?? 200, html, dashboardHeaders);
    },

    async device(page: DevicePage, req: IncomingMessage): Promise<Answer> {
      const language = languageOf(req);
      const { page: shown, brand } = brandedDevice(page, branding());
      const view = deviceView({ ...server, language }, shown, base + server.paths.deviceVerification);
      const html = await views.device({ ...view, brand });
      const isRefused = page.step === 'enter' && page.problem !== undefined;
      return pageAnswer(language, isRefused ? 400 : 200, html, deviceHeaders(brand.logo));
    },

    async approvals(page: ApprovalsPage, req: IncomingMessage): Promise<Answer> {
      const language = languageOf(req);
      const waiting = page.waiting.map(each => ({ ...each, client: branded(each.client, branding()).client }));
      const view = approvalsView({ ...server, language }, { ...page, waiting }, base + server.paths.approvals);
      const html = await views.approvals({ ...view, brand: sharedBrand(branding()) });
      return pageAnswer(language, 200, html, dashboardHeaders);
    },
  };
}

/** The page of a device, with the branding of its client. */
function brandedDevice(page: DevicePage, shared: Branding): { readonly page: DevicePage; readonly brand: PageBrand } {
  if (page.step === 'enter') return { page, brand: sharedBrand(shared) };
  const asking = page.step === 'done' ? page.client : page.asked.client;
  const { client, brand: own } = branded(asking, shared);
  const brand = { ...own, logo: approvedLogo(asking, own) };
  if (page.step === 'done') return { page: { ...page, client }, brand };
  return { page: { ...page, asked: { ...page.asked, client } }, brand };
}

export interface PagesOptions {
  readonly server: AuthorizationServer;
  /** Path of the issuer, which precedes all its paths. */
  readonly base: string;
  readonly cookies: Cookies;
  readonly views: Views;
  readonly loginMode: 'picker' | 'password';
  /** The branding of clients without their own, as it is configured now. */
  readonly branding: () => Branding;
}
