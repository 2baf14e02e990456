import type { IncomingMessage } from 'node:http';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { authorize, denyAuthorization, pendingRequest } from '../oauth/endpoints/authorize.ts';
import type { Reply } from '../oauth/endpoints/endpoint.ts';
import { OAuthError } from '../oauth/errors.ts';
import { parameter, parseParameters, type RequestParameters, rejectUnreadable } from '../oauth/parameters.ts';
import type { AuthorizationRequest } from '../oauth/requests/authorization-request.ts';
import { reachableAcr } from '../oauth/users/acr.ts';
import { rememberAsked } from '../oauth/users/asked-login.ts';
import { findSession, type Session } from '../oauth/users/session.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { Adapter } from './adapter.ts';
import { type Answer, redirectAnswer } from './answer.ts';
import type { Cookies } from './cookies.ts';
import { type Identification, identifyUser } from './identify-user.ts';
import { requireOwnOrigin } from './origin-check.ts';
import type { Pages, Refusal } from './pages.ts';
import { rawQuery, readForm } from './read-parameters.ts';
import { contextOf } from './request-context.ts';
import { startLogin } from './start-login.ts';

export interface LoginOptions extends Identification {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  /** Where the authorization endpoint is. */
  readonly authorizePath: string;
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
  const asked = await askedOf(options, req);
  if (asked === undefined || !wantsFreshLogin(server, asked, session)) return back(options, req, session);
  if (mode === 'password') {
    return showLogin(options, req, { notice: 'The application asks for a fresh login: type the password.' });
  }
  return start(options, req, user, 'click');
}

function wantsFreshLogin(server: AuthorizationServer, asked: AuthorizationRequest, { acr }: Session): boolean {
  if (asked.max_age !== undefined || asked.prompt.includes('login')) return true;
  const wanted = reachableAcr(server, asked);
  return wanted.length > 0 && !wanted.includes(acr);
}

/** The request behind the page, pushed and signed ones too; undefined where it is a bad one. */
function askedOf({ server, adapter }: LoginOptions, req: IncomingMessage): Promise<AuthorizationRequest | undefined> {
  return pendingRequest(server, adapter.endpointRequest(req, parseParameters(rawQuery(req))));
}

async function logIn(options: LoginOptions, req: IncomingMessage, form: RequestParameters): Promise<Answer | Reply> {
  const identified = identifyUser(options, form);
  if ('notice' in identified) return showLogin(options, req, identified);
  return start(options, req, identified.user, identified.method);
}

async function start(
  options: LoginOptions,
  req: IncomingMessage,
  user: TestUser,
  method: 'password' | 'click',
): Promise<Answer> {
  const asked = await askedOf(options, req);
  const [acr] = asked === undefined ? [] : reachableAcr(options.server, asked);
  const facts = { user, method, ...(acr === undefined ? {} : { acr }) };
  const client_id = new URLSearchParams(rawQuery(req)).get('client_id');
  const { session, cookies } = await startLogin(options, req, facts, client_id);
  const answer = await back(options, req, session);
  return { ...answer, cookies };
}

/** What was asked for has happened, and that is remembered: otherwise the authorization endpoint would ask again. */
async function back({ server, authorizePath }: LoginOptions, req: IncomingMessage, session: Session): Promise<Answer> {
  await rememberAsked(server, session, parseParameters(rawQuery(req)));
  return redirectAnswer(303, `${authorizePath}?${rawQuery(req)}`);
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
