import type { IncomingMessage } from 'node:http';
import { defined } from '../../../base/defined.ts';
import type { Emit } from '../../../base/events/event.ts';
import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import { authorize, denyAuthorization, pendingLogin } from '../../../protocol/endpoints/authorize.ts';
import type { EndpointRequest, LoginPage, Reply } from '../../../protocol/endpoints/endpoint.ts';
import { previewLogin } from '../../../protocol/endpoints/preview-login.ts';
import { invalidRequest } from '../../../protocol/errors.ts';
import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import { lenientParameter, parameter, parseParameters, shorten } from '../../../protocol/parameters.ts';
import { reachableAcr } from '../../../protocol/requests/acr.ts';
import type { AuthorizationRequest } from '../../../protocol/requests/authorization-request.ts';
import { rememberAsked } from '../../../protocol/users/asked-login.ts';
import {
  type ClaimsProblem,
  editableClaims,
  editedNames,
  type LoginClaims,
  loginClaims,
  onlyOfTheLogin,
  readTypedClaims,
  userAtLogin,
} from '../../../protocol/users/login-claims.ts';
import { findUser } from '../../../protocol/users/login-need.ts';
import { isChosenAnswer } from '../../../protocol/users/next-login.ts';
import { findSession, type LoginFacts, type Session } from '../../../protocol/users/session.ts';
import type { TestUser } from '../../../protocol/users/user.ts';
import type { Adapter } from '../adapter.ts';
import { type Answer, redirectAnswer } from '../answer.ts';
import type { Cookies } from '../cookies.ts';
import { requireOwnOrigin } from '../origin-check.ts';
import type { Pages } from '../pages.ts';
import { rawQuery } from '../read-parameters.ts';
import { contextOf } from '../request-context.ts';
import { type Identification, identifyUser, unknownSubject } from './identify-user.ts';
import { type EditorState, type LoginAgain, type RefusedLogin, refusedLogin, searchFor } from './login-again.ts';
import { readLoginForm, type SentLogin } from './login-form.ts';
import { howManyNames, madeUpPerson } from './made-up-person.ts';
import { startLogin } from './start-login.ts';

export interface LoginOptions extends Identification {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  /** Path of the authorization endpoint. */
  readonly authorizePath: string;
}

type Login = (options: LoginOptions, req: IncomingMessage, form: SentLogin) => Promise<Answer | Reply>;

/** Actions of the buttons of the login page. */
const actions: Readonly<Record<string, Login>> = {
  login: logIn,
  continue: keepSession,
  deny: ({ server, adapter }, req) => denyAuthorization(server, requestOf(adapter, req)),
  error: answerWithError,
  edit: (options, req, form) => showAgain(options, req, () => fillIn(options.server, form)),
  'make-up': (options, req, form) => showAgain(options, req, () => makeUp(form)),
  search: (options, req, { fields }) => showAgain(options, req, () => searchFor(req, fields)),
  preview: (options, req, form) => showAgain(options, req, page => preview(options.server, page, form)),
};

/** In password mode the claims editor is off: it would show other users' claims before authentication. */
const withoutEditor: Readonly<Record<string, Login>> = { search: logIn, edit: logIn, 'make-up': logIn, preview: logIn };

/**
 * `POST /login?<the authorization request>`: starts a session and sends the browser back to the authorization endpoint
 * with the same query. It never issues a code: one path validates, one path issues.
 */
export function createLogin(options: LoginOptions): (req: IncomingMessage) => Promise<Answer | Reply> {
  return async req => {
    requireOwnOrigin(req);
    const form = await readLoginForm(req);
    const offered = options.mode === 'password' ? { ...actions, ...withoutEditor } : actions;
    const action = Object.hasOwn(offered, form.action) ? offered[form.action] : undefined;
    return (action ?? logIn)(options, req, form);
  };
}

/** The request behind the page, in the query of its forms. */
function requestOf(adapter: Adapter, req: IncomingMessage): EndpointRequest {
  return adapter.endpointRequest(req, parseParameters(rawQuery(req)));
}

async function answerWithError(
  { server, adapter }: LoginOptions,
  req: IncomingMessage,
  { fields }: SentLogin,
): Promise<Reply> {
  const choice = parameter(fields, 'error') ?? '';
  if (isChosenAnswer(choice)) return denyAuthorization(server, requestOf(adapter, req), choice);
  const details = { sent: shorten(choice), expected: 'one of the choices of the sign-in page' };
  throw invalidRequest('parameter_malformed', 'error is not a choice of the sign-in page', details);
}

/** "Continue as" keeps the session. If the request wants a fresh login, the click counts as one, except in password mode. */
async function keepSession(options: LoginOptions, req: IncomingMessage): Promise<Answer | Reply> {
  const { server, adapter, cookies, mode } = options;
  const session = await findSession(server, cookies.read(req, cookies.session));
  const user = session === undefined ? undefined : server.users.get(session.sub);
  if (session === undefined || user === undefined) return refuse(options, req, { notice: { word: 'sessionEnded' } });
  const pending = await pendingLogin(server, requestOf(adapter, req));
  if (pending === undefined || !wantsFreshLogin(server, pending.request, session)) return back(options, req, session);
  if (mode === 'password') {
    return refuse(options, req, { notice: { word: 'freshLogin' } });
  }
  return start(options, req, { user, method: 'click' });
}

function wantsFreshLogin(server: AuthorizationServer, asked: AuthorizationRequest, { acr }: Session): boolean {
  if (asked.max_age !== undefined || asked.prompt.includes('login')) return true;
  const wanted = reachableAcr(server, asked);
  return wanted.length > 0 && !wanted.includes(acr);
}

async function logIn(options: LoginOptions, req: IncomingMessage, form: SentLogin): Promise<Answer | Reply> {
  const { server, mode } = options;
  const typed = mode === 'password' ? {} : claimsIn(form);
  if ('problem' in typed) {
    return showAgain(options, req, () => ({ status: 400, editor: { ...editorOf(form), problem: typed.problem } }));
  }
  const identified = await identifyUser(options, form.fields);
  if ('notice' in identified) return refuse(options, req, identified, form);
  const { method } = identified;
  const applied = applyClaims(server, identified.user, form, typed.claims, contextOf(req).emit);
  return start(options, req, { ...applied, method });
}

async function start(
  options: LoginOptions,
  req: IncomingMessage,
  facts: Pick<LoginFacts, 'user' | 'method' | 'edited'>,
): Promise<Answer> {
  const { server, adapter } = options;
  const pending = await pendingLogin(server, requestOf(adapter, req));
  const [acr] = pending === undefined ? [] : reachableAcr(server, pending.request);
  const client_id = new URLSearchParams(rawQuery(req)).get('client_id') ?? undefined;
  const complete = { ...facts, ...defined({ acr }) };
  const { session, cookies } = await startLogin(options, req, complete, { client_id });
  const answer = await back(options, req, session);
  return { ...answer, cookies };
}

/** Records that the requested login has happened; otherwise the authorization endpoint would ask again. */
async function back({ server, authorizePath }: LoginOptions, req: IncomingMessage, session: Session): Promise<Answer> {
  await rememberAsked(server, session, parseParameters(rawQuery(req)));
  return redirectAnswer(303, `${authorizePath}?${rawQuery(req)}`);
}

/** The login page with the error of a name or password. */
function refuse(
  options: LoginOptions,
  req: IncomingMessage,
  refusal: RefusedLogin,
  form?: SentLogin,
): Promise<Answer | Reply> {
  const client_id = parseParameters(rawQuery(req)).values.get('client_id') || undefined;
  const refused = refusedLogin(req, refusal, client_id);
  const kept = form === undefined || form.claims === '' ? {} : { editor: editorOf(form) };
  return showAgain(options, req, () => ({ ...refused, ...kept }));
}

/** The login page again, or the error of the authorization endpoint for an invalid request. */
async function showAgain(
  { server, adapter, pages }: LoginOptions,
  req: IncomingMessage,
  again: (page: LoginPage) => LoginAgain | Promise<LoginAgain>,
): Promise<Answer | Reply> {
  const request = requestOf(adapter, req);
  const page = await pendingLogin(server, request);
  return page === undefined ? authorize(server, request) : pages.login(page, req, await again(page));
}

/** The editor as it was sent, so that typed text is not lost. */
function editorOf({ fields, claims, isComplete, keep }: SentLogin): EditorState {
  return { sub: lenientParameter(fields, 'sub')?.trim() ?? '', claims, isComplete, keep };
}

/** The claims that were typed: undefined if the editor was left empty. */
function claimsIn({ claims }: SentLogin): { readonly claims?: ParsedObject } | { readonly problem: ClaimsProblem } {
  return claims.trim() === '' ? {} : readTypedClaims(claims);
}

/** The editor, filled in with the claims of a user. */
function fillIn(server: AuthorizationServer, form: SentLogin): LoginAgain {
  const { sub: typed } = editorOf(form);
  const user = findUser(server, typed);
  if (user === undefined) return { status: 400, notice: { word: 'unknownUser', values: { sub: shorten(typed, 60) } } };
  return { status: 200, editor: { sub: user.sub, ...filled(editableClaims(user)), keep: form.keep } };
}

/** The editor, filled in with an invented person. */
function makeUp({ keep }: SentLogin): LoginAgain {
  const { sub, claims } = madeUpPerson(Math.floor(Math.random() * howManyNames), Math.floor(Math.random() * 1000));
  return { status: 200, editor: { sub, ...filled(claims), keep } };
}

function filled(claims: ParsedObject): Pick<EditorState, 'claims' | 'isComplete'> {
  return { claims: JSON.stringify(claims, null, 2), isComplete: true };
}

/** The tokens that this login would give. Starts no session and keeps no new user. */
async function preview(
  server: AuthorizationServer,
  { client, request }: LoginPage,
  form: SentLogin,
): Promise<LoginAgain> {
  const editor = editorOf(form);
  const typed = claimsIn(form);
  if ('problem' in typed) return { status: 400, editor: { ...editor, problem: typed.problem } };
  const user = findUser(server, editor.sub) ?? server.users.draft(editor.sub);
  if (user === undefined) return { status: 400, notice: unknownSubject, typed: editor.sub, editor };
  const edited = typed.claims && loginClaims(user, typed.claims, form);
  const names = edited === undefined ? [] : editedNames(edited);
  const preview = await previewLogin(server, { client, asked: request, user, edited });
  return { status: 200, editor: { ...editor, preview, edited: names } };
}

/** Applies the claims of a form to the login, and to the record of the user if they are to be kept. */
function applyClaims(
  server: AuthorizationServer,
  user: TestUser,
  form: SentLogin,
  claims: ParsedObject | undefined,
  emit: Emit,
): { readonly user: TestUser; readonly edited: LoginClaims | undefined } {
  const edited = claims && loginClaims(user, claims, form);
  if (form.keep === 'login') return { user, edited };
  const kept = userAtLogin(server.scopes, user, edited);
  if (user.isVisitor || kept !== user) tellSaved(user, emit);
  server.users.save(kept);
  return { user: kept, edited: edited && onlyOfTheLogin(edited) };
}

function tellSaved({ sub, isVisitor }: TestUser, emit: Emit): void {
  emit({
    type: 'configuration.changed',
    what: 'user',
    subject: sub,
    change: isVisitor ? 'created' : 'changed',
    members: isVisitor ? ['sub', 'claims'] : ['claims', 'access_token_claims'],
    by: 'login_screen',
  });
}
