import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { authorize, denyAuthorization } from '../oauth/endpoints/authorize.ts';
import type { Reply } from '../oauth/endpoints/endpoint.ts';
import { OAuthError } from '../oauth/errors.ts';
import { findUser } from '../oauth/login-need.ts';
import { parameter, parseParameters, type RequestParameters, rejectUnreadable, shorten } from '../oauth/parameters.ts';
import { sameSecret } from '../oauth/random.ts';
import { findSession, type Session, startSession } from '../oauth/session.ts';
import type { TestUser } from '../oauth/user.ts';
import type { Adapter } from './adapter.ts';
import { type Answer, redirectAnswer } from './answer.ts';
import type { Cookies } from './cookies.ts';
import { requireOwnOrigin } from './origin-check.ts';
import type { Pages, Refusal } from './pages.ts';
import { rawQuery, readForm } from './read-parameters.ts';
import { contextOf } from './request-context.ts';

export interface LoginOptions {
  readonly server: AuthorizationServer;
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  readonly mode: 'picker' | 'password';
  /** Where the authorization endpoint is. */
  readonly authorizePath: string;
  /** Makes a user of a name nobody is configured under; undefined when it cannot be one. */
  readonly createUser: (typed: string) => TestUser | undefined;
}

/**
 * `POST /login?<the authorization request>`: starts a session and sends the browser back to the authorization endpoint
 * with the same query. It never issues a code: one path validates, one path issues.
 */
export function createLogin(options: LoginOptions): (req: IncomingMessage) => Promise<Answer | Reply> {
  return async req => {
    requireOwnOrigin(req);
    const form = parseParameters(await readForm(req));
    rejectUnreadable(form);
    const action = parameter(form, 'action') ?? 'login';
    if (action === 'deny') return deny(options, req);
    if (action === 'continue') return keepSession(options, req);
    return logIn(options, req, form);
  };
}

function deny({ server, adapter }: LoginOptions, req: IncomingMessage): Promise<Reply> {
  return denyAuthorization(server, adapter.endpointRequest(req, parseParameters(rawQuery(req))));
}

/** "Continue as": the session will do, unless the request wants a fresh login; then a click is one, a password is not. */
async function keepSession(options: LoginOptions, req: IncomingMessage): Promise<Answer | Reply> {
  const { server, cookies, mode } = options;
  const session = await findSession(server, cookies.read(req, cookies.session));
  const user = session === undefined ? undefined : server.users.get(session.sub);
  if (session === undefined || user === undefined)
    return showLogin(options, req, { notice: 'The session has ended. Sign in again.' });
  if (!wantsFreshLogin(new URLSearchParams(rawQuery(req)), session)) return back(options, req);
  if (mode === 'password') {
    return showLogin(options, req, { notice: 'The application asks for a fresh login: type the password.' });
  }
  return start(options, req, user, 'click');
}

function wantsFreshLogin(query: URLSearchParams, session: Session): boolean {
  const acrValues = query.get('acr_values')?.split(' ') ?? [session.acr];
  return (
    query.has('max_age') ||
    query.get('prompt')?.split(' ').includes('login') === true ||
    !acrValues.includes(session.acr)
  );
}

async function logIn(options: LoginOptions, req: IncomingMessage, form: RequestParameters): Promise<Answer | Reply> {
  const { server, mode, createUser } = options;
  if (mode === 'password') {
    const typed = parameter(form, 'username') ?? '';
    const user = findUser(server, typed);
    const accepted = user !== undefined && passwordFits(user, parameter(form, 'password'));
    if (accepted) return start(options, req, user, 'password');
    return showLogin(options, req, { notice: 'Wrong username or password.', typed });
  }
  const typed = parameter(form, 'sub')?.trim() ?? '';
  const user = findUser(server, typed) ?? createUser(typed);
  if (user !== undefined) return start(options, req, user, 'click');
  return showLogin(options, req, {
    notice: 'Choose a user, or type a subject: 1 to 255 printable ASCII characters.',
    typed,
  });
}

/** Sandbox: without a configured password any one is accepted, but not none. */
function passwordFits(user: TestUser, typed: string | undefined): boolean {
  if (typed === undefined) return false;
  return user.password === undefined || sameSecret(typed, user.password);
}

async function start(
  options: LoginOptions,
  req: IncomingMessage,
  user: TestUser,
  method: 'password' | 'click',
): Promise<Answer> {
  const { server, cookies } = options;
  const query = new URLSearchParams(rawQuery(req));
  const acr = query
    .get('acr_values')
    ?.split(' ')
    .find(value => value !== '');
  const session = await startSession(server, { user, method, ...(acr === undefined ? {} : { acr: shorten(acr) }) });
  const client_id = query.get('client_id');
  contextOf(req).emit({
    type: 'login.succeeded',
    sub: user.sub,
    sid: session.sid,
    amr: session.amr,
    ...(client_id ? { client_id: shorten(client_id) } : {}),
  });
  const cookie = cookies.set(cookies.session, session.id, server.lifetimes.session);
  const lastUser = cookies.set(cookies.lastUser, user.sub, 365 * 24 * 3600);
  const answer = back(options, req);
  return { ...answer, cookies: [cookie, lastUser] };
}

/** What was asked for has happened, so it is dropped: otherwise the authorization endpoint would ask again. */
function back({ authorizePath }: LoginOptions, req: IncomingMessage): Answer {
  const query = new URLSearchParams(rawQuery(req));
  for (const name of ['prompt', 'login_hint', 'id_token_hint']) query.delete(name);
  if (Number(query.get('max_age') ?? 1) === 0) query.delete('max_age');
  return redirectAnswer(303, `${authorizePath}?${query}`);
}

/** The login page again, or whatever else the authorization endpoint has to say to this request. */
async function showLogin({ server, adapter, pages }: LoginOptions, req: IncomingMessage, refusal: Refusal) {
  const parameters = parseParameters(rawQuery(req));
  const { client_id } = Object.fromEntries(parameters.values);
  const failed = new OAuthError('access_denied', 'login_failed', refusal.notice, { status: 401 });
  const { emit } = contextOf(req);
  const refused = { error: failed.code, reason: failed.reason, description: failed.description, status: 401 };
  emit({ type: 'error.returned', endpoint: 'login', form: 'page', ...refused, ...(client_id ? { client_id } : {}) });
  const reply = await authorize(server, adapter.endpointRequest(req, parameters));
  return reply.kind === 'page' && reply.page.name === 'login' ? pages.login(reply.page, req, refusal) : reply;
}
