import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { isPublic, type RegisteredClient } from '../oauth/client.ts';
import type { LoginPage, LogoutPage, Page } from '../oauth/endpoints/endpoint.ts';
import { type Answer, htmlAnswer } from './answer.ts';
import type { Cookies } from './cookies.ts';
import { rawQuery } from './read-parameters.ts';
import { loginHeaders } from './security-headers.ts';
import type { Views } from './views.ts';

export interface PagesOptions {
  readonly server: AuthorizationServer;
  readonly cookies: Cookies;
  readonly views: Views;
  readonly loginMode: 'picker' | 'password';
}

/** Why the login page is shown again. */
export interface Refusal {
  readonly notice: string;
  /** The subject or username that was typed. */
  readonly typed?: string | undefined;
}

/** The pages of the protocol: what an endpoint wants to ask, as HTML. */
export function createPages({ server, cookies, views, loginMode }: PagesOptions) {
  async function login(page: LoginPage, req: IncomingMessage, refusal?: Refusal): Promise<Answer> {
    const html = await views.login({
      page,
      users: [...server.users.values()],
      lastUsed: cookies.read(req, cookies.lastUser),
      mode: loginMode,
      action: `/login?${rawQuery(req)}`,
      scopes: page.request.scopes.map(name => server.scopes.get(name) ?? { name, description: name }),
      notice: refusal?.notice,
      typed: refusal?.typed,
      relaxations: relaxations(page.client),
    });
    return htmlAnswer(refusal === undefined ? 200 : 401, html, loginHeaders);
  }

  async function logout(page: LogoutPage): Promise<Answer> {
    const user = server.users.get(page.session.sub);
    const html = await views.logout({ page, user, action: '/logout', fields: page.parameters });
    return htmlAnswer(200, html, loginHeaders);
  }

  return {
    login,
    async render(page: Page, req: IncomingMessage): Promise<Answer> {
      if (page.name === 'login') return login(page, req);
      if (page.name === 'logout') return logout(page);
      return htmlAnswer(200, await views.loggedOut({ page }), loginHeaders);
    },
  };
}
export type Pages = ReturnType<typeof createPages>;

/** Every relaxation is shown where the client is shown. */
function relaxations(client: RegisteredClient): string[] {
  return [
    ...(client.loopback_redirects ? ['any loopback address is accepted as redirect URI (loopback_redirects)'] : []),
    ...(client.require_pkce || isPublic(client) ? [] : ['PKCE is not demanded of this client (require_pkce)']),
    ...(client.refresh_token_rotation ? [] : ['refresh tokens do not rotate (refresh_token_rotation)']),
  ];
}
