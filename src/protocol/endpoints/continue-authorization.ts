import { type ErrorCode, OAuthError } from '../errors.ts';
import { putDecoy } from '../kept-authorizations.ts';
import { errorParameters } from '../requests/authorization-response.ts';
import { usePushedRequest } from '../requests/pushed-request.ts';
import { readHint } from '../tokens/hint.ts';
import { forgetAsked, onceAsked, rememberAsked, wasAsked } from '../users/asked-login.ts';
import { type GrantedRequest, mayNeedConsent, settleConsent } from '../users/consent.ts';
import { isPageWanted, whyAsk } from '../users/login-need.ts';
import type { ChosenAnswer } from '../users/next-login.ts';
import { findSession, type Session } from '../users/session.ts';
import { claimedUser } from '../users/user-claims.ts';
import {
  type AutomaticLogin,
  approveEverything,
  automaticLogin,
  type LoginState,
  loginByRule,
  signInAutomatically,
} from './automatic-login.ts';
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

function loginPage(trusted: Trusted, { session, need }: LoginState): LoginPage {
  const { server, target, asked } = trusted;
  const heldBack = isPageWanted(server, asked) ? loginByRule(trusted) : undefined;
  const cause = need?.cause ?? 'no_session';
  return { client: target.client, request: asked, cause, session, hinted: need?.hinted, heldBack };
}

/** The login page again, for a request that already got it. Logs nothing and applies no rule. */
export async function loginPageAgain(trusted: Trusted): Promise<LoginPage> {
  return loginPage(trusted, await loginState(trusted));
}

async function respond(trusted: Trusted, session: Session): Promise<Reply> {
  const { server, request, target, asked, effective } = trusted;
  server.dialect?.checkMember?.(server, session.sub, asked.organization);
  const granted = await consented(trusted, session);
  if ('kind' in granted) return granted;
  if (effective.pushed !== undefined) await usePushedRequest(server, effective.pushed);
  const issue = { server, emit: request.emit, client: target.client, parameters: effective.parameters };
  const parameters = await issueResponse(issue, granted, session);
  await forgetAsked(server, session, request.parameters);
  return deliver(server, target, parameters, request.emit);
}

async function answerAutomatically(trusted: Trusted, state: LoginState, automatic: AutomaticLogin): Promise<Reply> {
  const { action } = automatic;
  if (action !== undefined && action !== 'approve') return answerAsChosen(trusted, action, 'next_login');
  const session = await signInAutomatically(trusted, state, automatic);
  if (action === 'approve') await approveEverything(trusted, session);
  const reply = await respond(trusted, session);
  if (reply.kind === 'page') await rememberAsked(trusted.server, session, trusted.request.parameters, 'rule');
  return { ...reply, signedIn: session };
}

async function loginState({ server, request, target, asked }: Trusted): Promise<LoginState> {
  const session = await findSession(server, request.sessionId);
  const hint = asked.id_token_hint === undefined ? undefined : await readHint(server, asked.id_token_hint);
  // OIDC Core §3.1.2.2: no answer for a different user, even if one has logged in meanwhile; a login_hint is a mere hint
  const wanted = claimedUser(server, target.client, asked, session) ?? hint?.user;
  const isAsked = session !== undefined && (await wasAsked(server, session, request.parameters, 'anybody'));
  return { session, need: whyAsk(server, isAsked ? onceAsked(asked) : asked, session, wanted), isAsked, wanted };
}

async function consented(
  { server, request: { browserId, parameters }, target: { client }, asked }: Trusted,
  session: Session,
): Promise<GrantedRequest | Reply> {
  if (!mayNeedConsent(client, asked)) return asked;
  const granted = await settleConsent(server, { client, session, browserId, parameters }, asked);
  return granted ?? { kind: 'page', page: { name: 'consent', client, request: asked, session } };
}

const whyNotSilent: Readonly<Record<string, string>> = {
  no_session: 'no user is signed in in this browser',
  max_age: 'the sign-in is older than max_age',
  hint: 'a different user is signed in than the one the request names',
  acr_values: 'the acr of the sign-in is not one the request marks as essential',
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

type ChosenBy = 'login_screen' | 'next_login' | 'control';

/**
 * Sends the client the answer that was chosen in place of the result of a login.
 * @throws the chosen error, so that it is reported like other errors
 */
async function chosenReply(trusted: Trusted, choice: ChosenAnswer | 'deny', by: ChosenBy): Promise<Reply> {
  if (choice === 'no_answer') return noAnswer(trusted, by);
  if (choice === 'wrong_state') return wrongState(trusted, by);
  throw choice === 'deny' ? denied(by) : chosenError(choice, by);
}

const places: Readonly<Record<ChosenBy, string>> = {
  login_screen: 'on the sign-in page',
  next_login: 'by the call that set the next sign-in',
  control: 'by the call that signed in',
};

function denied(by: ChosenBy): OAuthError {
  const description =
    by === 'login_screen' ? 'the user denied the request on the sign-in page' : `the request was denied ${places[by]}`;
  return new OAuthError('access_denied', 'user_denied', description);
}

function chosenError(code: ErrorCode, by: ChosenBy): OAuthError {
  return new OAuthError(code, 'chosen_on_login_screen', `this error was chosen ${places[by]}`);
}

/** Sends nothing, as if the user had closed the page: the client keeps waiting. */
function noAnswer({ request, target, asked }: Trusted, by: ChosenBy): Reply {
  request.emit({ type: 'answer.replaced', client_id: asked.client_id, choice: 'no_answer', by });
  return { kind: 'page', page: { name: 'no-answer', client: target.client, redirect_uri: asked.redirect_uri } };
}

/**
 * Simulates a planted login (RFC 6749 §10.12): a code with a `state` the client never sent, so a client that redeems it
 * does not check `state`. For a response type with tokens it sends an error, because there is no user to issue tokens
 * for.
 */
async function wrongState({ server, request, target, asked }: Trusted, by: ChosenBy): Promise<Reply> {
  request.emit({ type: 'answer.replaced', client_id: asked.client_id, choice: 'wrong_state', by });
  const parameters =
    asked.response_type === 'code'
      ? { code: await putDecoy(server) }
      : errorParameters(chosenError('access_denied', by));
  return deliver(server, { ...target, state: `not-your-state-${server.random.id()}` }, parameters, request.emit);
}
