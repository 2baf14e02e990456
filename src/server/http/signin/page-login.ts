import type { IncomingMessage } from 'node:http';
import type { Reply, SignInPage } from '../../../protocol/endpoints/endpoint.ts';
import { parameter, parseParameters } from '../../../protocol/parameters.ts';
import { findSession } from '../../../protocol/users/session.ts';
import type { Adapter, EndpointFunction } from '../adapter.ts';
import { type Answer, redirectAnswer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import type { Pages } from '../pages.ts';
import { rawQuery, readOwnForm } from '../read-parameters.ts';
import type { EndpointRoute } from '../route.ts';
import { type Identification, identifyUser } from './identify-user.ts';
import { type LoginAgain, refusedLogin, searchFor } from './login-again.ts';
import { startLogin } from './start-login.ts';

/** Pages of ours that a login can lead to: `/login/<purpose>`. A request cannot choose a different target. */
const signInPurposes = { device: 'device_verification', approvals: 'approvals' } as const satisfies Record<
  SignInPage['purpose'],
  string
>;

interface PageLoginOptions extends Identification {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  /** The page it leads to. */
  readonly target: { readonly path: string; readonly endpoint: EndpointFunction };
}

export interface PageLogin {
  /** Opening the address of the login redirects to the page, which decides whether a login is needed. */
  readonly open: (req: IncomingMessage) => Answer;
  readonly login: (req: IncomingMessage) => Promise<Answer | Reply>;
}

/** One for each page that is offered, by its purpose. */
export function createPageLogins({
  routes,
  ...options
}: Omit<PageLoginOptions, 'target'> & { readonly routes: readonly EndpointRoute[] }): ReadonlyMap<string, PageLogin> {
  return new Map(
    Object.entries(signInPurposes).flatMap(([purpose, name]) => {
      const target = routes.find(route => route.name === name);
      if (target === undefined) return [];
      const login = createPageLogin({ ...options, target });
      return [[purpose, { login, open: req => toPage({ target }, req) }] as const];
    }),
  );
}

/** `POST /login/<purpose>?<query of the page>`: starts a session and sends the browser to the page with the same query. */
function createPageLogin(options: PageLoginOptions): (req: IncomingMessage) => Promise<Answer | Reply> {
  const { server, cookies } = options;
  return async req => {
    const form = await readOwnForm(req);
    if (parameter(form, 'action') === 'continue') {
      const session = await findSession(server, cookies.read(req, cookies.session));
      return session === undefined
        ? showAgain(options, req, refusedLogin(req, { notice: { word: 'sessionEnded' } }))
        : toPage(options, req);
    }
    if (options.mode === 'picker' && parameter(form, 'action') === 'search')
      return showAgain(options, req, searchFor(req, form));
    const identified = await identifyUser(options, form);
    if ('notice' in identified) return showAgain(options, req, refusedLogin(req, identified));
    const started = await startLogin(options, req, identified);
    return { ...toPage(options, req), cookies: started.cookies };
  };
}

/** Redirects to the page without `prompt`, because the user has just been asked. */
function toPage({ target }: Pick<PageLoginOptions, 'target'>, req: IncomingMessage): Answer {
  const query = new URLSearchParams(rawQuery(req));
  query.delete('prompt');
  return redirectAnswer(303, query.size === 0 ? target.path : `${target.path}?${query}`);
}

async function showAgain(
  { server, adapter, pages, target }: PageLoginOptions,
  req: IncomingMessage,
  again: LoginAgain,
): Promise<Answer | Reply> {
  const request = { ...adapter.endpointRequest(req, parseParameters(rawQuery(req))), method: 'GET' };
  const reply = await target.endpoint(server, request);
  return reply.kind === 'page' && reply.page.name === 'sign-in' ? pages.signIn(reply.page, req, again) : reply;
}
