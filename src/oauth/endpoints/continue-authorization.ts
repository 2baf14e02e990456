import { defined } from '../../defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { ChosenAnswer } from '../chosen-answer.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import { settleConsent } from '../requests/consent.ts';
import { type GrantedRequest, mayNeedConsent } from '../requests/consent-need.ts';
import { usePushedRequest } from '../requests/pushed-request.ts';
import { loadHint } from '../tokens/load-hint.ts';
import { forgetAsked, onceAsked, rememberAsked, wasAsked } from '../users/asked-login.ts';
import { whyAsk } from '../users/login-need.ts';
import { isPageWanted, ruledLogin } from '../users/login-rule.ts';
import { findSession, type Session } from '../users/session.ts';
import { claimedUser } from '../users/subject.ts';
import {
  type AutomaticLogin,
  approveEverything,
  automaticLogin,
  type LoginState,
  sandboxLogin,
  signInAutomatically,
} from './automatic-login.ts';
import type { ChosenBy } from './chosen-answer.ts';
import { chosenReply } from './chosen-answer.ts';
import { deliver } from './deliver-response.ts';
import type { EndpointRequest, LoginPage, Reply, Trusted } from './endpoint.ts';
import { issueResponse } from './issue-response.ts';

/** Answers a request that is trusted and checked, or returns the page that the user must see first. */
export async function continueAuthorization(
  server: AuthorizationServer,
  request: EndpointRequest,
  trusted: Trusted,
): Promise<Reply> {
  const { asked } = trusted;
  const state = await loginState(server, request, trusted);
  const { session, need } = state;
  const automatic = await automaticLogin(server, request, trusted, state);
  if (automatic !== undefined) return answerAutomatically(server, request, trusted, state, automatic);
  if (need === undefined && session !== undefined) return respond(server, request, trusted, session);
  if (asked.prompt.includes('none')) throw loginRequired(need?.cause ?? 'no_session');
  return { kind: 'page', page: { name: 'login', ...loginPage(server, request, trusted, state) } };
}

/** Contents of the login page. */
function loginPage(
  server: AuthorizationServer,
  { parameters }: EndpointRequest,
  { target: { client }, asked, effective }: Trusted,
  { session, need }: LoginState,
): LoginPage {
  const { cause, hinted } = need ?? { cause: 'no_session' as const, hinted: undefined };
  const heldBack = isPageWanted(server, asked)
    ? ruledLogin(server, client, asked, sandboxLogin(effective.parameters, parameters))
    : undefined;
  return {
    client,
    request: asked,
    cause,
    ...defined({ session, hinted, heldBack }),
  };
}

/** The login page again, for a request that already got it. Logs nothing and applies no rule. */
export async function loginPageAgain(
  server: AuthorizationServer,
  request: EndpointRequest,
  trusted: Trusted,
): Promise<LoginPage> {
  return loginPage(server, request, trusted, await loginState(server, request, trusted));
}

/** Answers a request with a sufficient session, or asks for consent first. */
async function respond(
  server: AuthorizationServer,
  request: EndpointRequest,
  { target, asked, effective }: Trusted,
  session: Session,
): Promise<Reply> {
  server.dialect?.checkMember?.(server, session.sub, asked.organization);
  const granted = await consented(server, request, { client: target.client, session }, asked);
  if ('kind' in granted) return granted;
  if (effective.pushed !== undefined) await usePushedRequest(server, effective.pushed);
  const issue = { server, emit: request.emit, client: target.client, parameters: effective.parameters };
  const parameters = await issueResponse(issue, granted, session);
  await forgetAsked(server, session, request.parameters);
  return deliver(server, target, parameters);
}

/** Answers without a click: starts a session with the answer, or sends the error that was chosen for it. */
async function answerAutomatically(
  server: AuthorizationServer,
  request: EndpointRequest,
  trusted: Trusted,
  state: LoginState,
  automatic: AutomaticLogin,
): Promise<Reply> {
  const action = automatic.kind === 'next' ? automatic.next.action : undefined;
  if (action !== undefined && action !== 'approve') {
    return answerAsChosen(server, request, trusted, action, 'next_login');
  }
  const session = await signInAutomatically(server, request, trusted, state, automatic);
  if (action === 'approve') await approveEverything(server, request, trusted, session);
  const reply = await respond(server, request, trusted, session);
  if (reply.kind === 'page') await rememberAsked(server, session, request.parameters, 'rule');
  return { ...reply, signedIn: session };
}

/** Facts for the decision whether the user must be asked. They may just have been asked. */
async function loginState(
  server: AuthorizationServer,
  { sessionId, parameters }: EndpointRequest,
  { target: { client }, asked }: Trusted,
): Promise<LoginState> {
  const session = await findSession(server, sessionId);
  const hint = asked.id_token_hint === undefined ? undefined : await loadHint(server, asked.id_token_hint);
  // OIDC Core §3.1.2.2: no answer for a different user, even if one has logged in meanwhile; a login_hint is only a
  // hint
  const wanted = claimedUser(server, client, asked, session) ?? hint?.user;
  const isAsked = session !== undefined && (await wasAsked(server, session, parameters, 'anybody'));
  return { session, need: whyAsk(server, isAsked ? onceAsked(asked) : asked, session, wanted), isAsked, wanted };
}

/** The request reduced to what the user allows, or the consent screen. Most clients need no consent. */
async function consented(
  server: AuthorizationServer,
  { browserId, parameters }: EndpointRequest,
  { client, session }: { readonly client: RegisteredClient; readonly session: Session },
  asked: AuthorizationRequest,
): Promise<GrantedRequest | Reply> {
  if (!mayNeedConsent(client, asked)) return asked;
  const granted = await settleConsent(server, { client, session, browserId, parameters }, asked);
  return granted ?? { kind: 'page', page: { name: 'consent', client, request: asked, session } };
}

const whyNotSilent: Readonly<Record<string, string>> = {
  no_session: 'no user is logged in in this browser',
  max_age: 'the login is older than max_age',
  hint: 'a different user is logged in than the one the request names',
  acr_values: 'the acr of the login is not one the request marks as essential',
};

/** OIDC Core §3.1.2.6. */
function loginRequired(cause: string): OAuthError {
  const description = `prompt=none, but ${whyNotSilent[cause] ?? 'the user would have to be asked'}`;
  const reason = cause === 'hint' ? 'hint_of_another_user' : 'login_required';
  return new OAuthError('login_required', reason, description, {
    sent: 'prompt=none',
    expected: 'a session',
  });
}

/** Sends the answer that somebody chose in place of the real one. It uses up a pushed request. */
export async function answerAsChosen(
  server: AuthorizationServer,
  request: EndpointRequest,
  trusted: Trusted,
  choice: ChosenAnswer | 'deny',
  by: ChosenBy,
): Promise<Reply> {
  const reply = await chosenReply(server, request, trusted, choice, by);
  const { pushed } = trusted.effective;
  if (pushed !== undefined && reply.kind !== 'page') await usePushedRequest(server, pushed);
  return reply;
}
