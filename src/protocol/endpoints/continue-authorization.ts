import { defined } from '../../base/defined.ts';
import type { ChosenAnswer } from '../chosen-answer.ts';
import { OAuthError } from '../errors.ts';
import { type GrantedRequest, mayNeedConsent } from '../requests/consent-need.ts';
import { usePushedRequest } from '../requests/pushed-request.ts';
import { loadHint } from '../tokens/load-hint.ts';
import { forgetAsked, onceAsked, rememberAsked, wasAsked } from '../users/asked-login.ts';
import { settleConsent } from '../users/consent.ts';
import { whyAsk } from '../users/login-need.ts';
import { isPageWanted } from '../users/login-rule.ts';
import { findSession, type Session } from '../users/session.ts';
import { claimedUser } from '../users/subject.ts';
import {
  type AutomaticLogin,
  approveEverything,
  automaticLogin,
  type LoginState,
  loginByRule,
  signInAutomatically,
} from './automatic-login.ts';
import { type ChosenBy, chosenReply } from './chosen-answer.ts';
import { deliver } from './deliver-response.ts';
import type { LoginPage, Reply, Trusted } from './endpoint.ts';
import { issueResponse } from './issue-response.ts';

/** Answers a request that is trusted and checked, or returns the page that the user must see first. */
export async function continueAuthorization(trusted: Trusted): Promise<Reply> {
  const state = await loginState(trusted);
  const { session, need } = state;
  const automatic = await automaticLogin(trusted, state);
  if (automatic !== undefined) return answerAutomatically(trusted, state, automatic);
  if (need === undefined && session !== undefined) return respond(trusted, session);
  if (trusted.asked.prompt.includes('none')) throw loginRequired(need?.cause ?? 'no_session');
  return { kind: 'page', page: { name: 'login', ...loginPage(trusted, state) } };
}

/** Contents of the login page. */
function loginPage(trusted: Trusted, { session, need }: LoginState): LoginPage {
  const { server, target, asked } = trusted;
  const heldBack = isPageWanted(server, asked) ? loginByRule(trusted) : undefined;
  const cause = need?.cause ?? 'no_session';
  return { client: target.client, request: asked, cause, ...defined({ session, hinted: need?.hinted, heldBack }) };
}

/** The login page again, for a request that already got it. Logs nothing and applies no rule. */
export async function loginPageAgain(trusted: Trusted): Promise<LoginPage> {
  return loginPage(trusted, await loginState(trusted));
}

/** Answers a request with a sufficient session, or asks for consent first. */
async function respond(trusted: Trusted, session: Session): Promise<Reply> {
  const { server, request, target, asked, effective } = trusted;
  server.dialect?.checkMember?.(server, session.sub, asked.organization);
  const granted = await consented(trusted, session);
  if ('kind' in granted) return granted;
  if (effective.pushed !== undefined) await usePushedRequest(server, effective.pushed);
  const issue = { server, emit: request.emit, client: target.client, parameters: effective.parameters };
  const parameters = await issueResponse(issue, granted, session);
  await forgetAsked(server, session, request.parameters);
  return deliver(server, target, parameters);
}

/** Answers without a click: starts a session with the answer, or sends the error that was chosen for it. */
async function answerAutomatically(trusted: Trusted, state: LoginState, automatic: AutomaticLogin): Promise<Reply> {
  const { action } = automatic;
  if (action !== undefined && action !== 'approve') return answerAsChosen(trusted, action, 'next_login');
  const session = await signInAutomatically(trusted, state, automatic);
  if (action === 'approve') await approveEverything(trusted, session);
  const reply = await respond(trusted, session);
  if (reply.kind === 'page') await rememberAsked(trusted.server, session, trusted.request.parameters, 'rule');
  return { ...reply, signedIn: session };
}

/** Facts for the decision whether the user must be asked. They may just have been asked. */
async function loginState({ server, request, target, asked }: Trusted): Promise<LoginState> {
  const session = await findSession(server, request.sessionId);
  const hint = asked.id_token_hint === undefined ? undefined : await loadHint(server, asked.id_token_hint);
  // OIDC Core §3.1.2.2: no answer for a different user, even if one has logged in meanwhile; a login_hint is a mere hint
  const wanted = claimedUser(server, target.client, asked, session) ?? hint?.user;
  const isAsked = session !== undefined && (await wasAsked(server, session, request.parameters, 'anybody'));
  return { session, need: whyAsk(server, isAsked ? onceAsked(asked) : asked, session, wanted), isAsked, wanted };
}

/** The request reduced to what the user allows, or the consent screen. Most clients need no consent. */
async function consented(
  { server, request: { browserId, parameters }, target: { client }, asked }: Trusted,
  session: Session,
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
  return new OAuthError('login_required', reason, description, { sent: 'prompt=none', expected: 'a session' });
}

/** Sends the answer that somebody chose in place of the real one. It uses up a pushed request. */
export async function answerAsChosen(trusted: Trusted, choice: ChosenAnswer | 'deny', by: ChosenBy): Promise<Reply> {
  const reply = await chosenReply(trusted, choice, by);
  const { pushed } = trusted.effective;
  if (pushed !== undefined && reply.kind !== 'page') await usePushedRequest(trusted.server, pushed);
  return reply;
}
