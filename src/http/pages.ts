import type { IncomingMessage } from 'node:http';
import { isPublic, type RegisteredClient } from '../oauth/clients/client.ts';
import type {
  ConsentPage,
  LoggedOutPage,
  LoginPage,
  LogoutPage,
  NoAnswerPage,
  Page,
} from '../oauth/endpoints/endpoint.ts';
import { displayName } from '../oauth/users/user.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import { rawQuery } from './read-parameters.ts';
import { contextOf } from './request-context.ts';
import { checkSessionHeaders, loginHeaders, logoutHeaders } from './security-headers.ts';
import { consentView } from './signin/consent-view.ts';
import { createDecisionPages, type PagesOptions } from './signin/decision-pages.ts';
import type { LoginAgain } from './signin/login-again.ts';
import { offeredUsers } from './signin/user-cards.ts';

/** The pages of the protocol: what an endpoint wants to ask, as HTML. */
export function createPages(options: PagesOptions) {
  const { server, base, cookies, views, loginMode } = options;
  const decisions = createDecisionPages(options);

  async function login(page: LoginPage, req: IncomingMessage, again?: LoginAgain): Promise<Answer> {
    const lastUsed = cookies.read(req, cookies.lastUser);
    const html = await views.login({
      page,
      users: offeredUsers(server.users.values(), [lastUsed, page.session?.sub, page.hinted?.sub]),
      lastUsed,
      autoLogin: server.autoLogin,
      requestId: contextOf(req).id,
      mode: loginMode,
      action: `${base}/login?${rawQuery(req)}`,
      scopes: page.request.scopes.map(name => server.scopes.get(name) ?? { name, description: name }),
      notice: again?.notice,
      typed: again?.typed,
      editor: again?.editor,
      search: again?.search,
      relaxations: relaxations(page.client),
    });
    return htmlAnswer(again?.status ?? 200, html, loginHeaders);
  }

  return {
    login,
    signIn: decisions.signIn,
    async render(page: Page, req: IncomingMessage): Promise<Answer> {
      if (page.name === 'login') return login(page, req);
      if (page.name === 'no-answer') return noAnswer(options, page, req);
      if (page.name === 'consent') return consent(options, page, req);
      if (page.name === 'sign-in') return decisions.signIn(page, req);
      if (page.name === 'device') return decisions.device(page);
      if (page.name === 'approvals') return decisions.approvals(page);
      return sessionPage(options, page);
    },
  };
}
export type Pages = ReturnType<typeof createPages>;

/** Pages about the end and the state of a session. */
async function sessionPage(
  options: PagesOptions,
  page: Extract<Page, { name: 'logout' | 'logged-out' | 'check-session' }>,
): Promise<Answer> {
  if (page.name === 'logout') return logout(options, page);
  if (page.name === 'logged-out') return loggedOut(options, page);
  const html = await options.views.checkSession({ cookie: options.cookies.browserState });
  return htmlAnswer(200, html, checkSessionHeaders);
}

async function consent(
  { server, base, views }: PagesOptions,
  page: ConsentPage,
  req: IncomingMessage,
): Promise<Answer> {
  const user = server.users.get(page.session.sub);
  const action = `${base}/consent?${rawQuery(req)}`;
  const { scopes, authorizationDetailsTypes: types } = server;
  return htmlAnswer(200, await views.consent(consentView({ page, user, action, scopes, types })), loginHeaders);
}

async function noAnswer(
  { base, server, views }: PagesOptions,
  page: NoAnswerPage,
  req: IncomingMessage,
): Promise<Answer> {
  const again = `${base}${server.paths.authorize}?${rawQuery(req)}`;
  return htmlAnswer(200, await views.noAnswer({ page, again, requestId: contextOf(req).id }), loginHeaders);
}

async function logout({ server, base, views }: PagesOptions, page: LogoutPage): Promise<Answer> {
  const user = server.users.get(page.session.sub);
  const userName = user === undefined ? page.session.sub : displayName(user);
  const html = await views.logout({ page, userName, action: `${base}/logout`, fields: page.parameters });
  return htmlAnswer(200, html, loginHeaders);
}

async function loggedOut({ server, cookies, views }: PagesOptions, page: LoggedOutPage): Promise<Answer> {
  const frames = page.notices.flatMap(({ channel, url, failure }) =>
    channel === 'front' && failure === undefined ? [url] : [],
  );
  const names = page.notices.map(({ client_id }) => [client_id, server.clients.get(client_id)?.client_name] as const);
  const html = await views.loggedOut({ page, frames, names: new Map(names) });
  return { ...htmlAnswer(200, html, logoutHeaders(frames)), cookies: cookies.loggedOut };
}

/** Every relaxation is shown where the client is shown. */
function relaxations(client: RegisteredClient): string[] {
  return [
    ...(client.loopback_redirects ? ['any loopback address is accepted as redirect URI (loopback_redirects)'] : []),
    ...(client.require_pkce || isPublic(client) ? [] : ['PKCE is not demanded of this client (require_pkce)']),
    ...(client.grant_types.includes('password')
      ? ['it may take passwords itself: the password grant, removed by OAuth 2.1 (grant_types)']
      : []),
    ...(client.grant_types.includes('implicit')
      ? ['tokens may come by the browser, which OAuth 2.1 has removed (grant type implicit)']
      : []),
    ...(client.refresh_token_rotation ? [] : ['refresh tokens do not rotate (refresh_token_rotation)']),
  ];
}
