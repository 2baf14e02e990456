import { defined } from '../../base/defined.ts';
import type { Emit, EventOf } from '../../base/events/event.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { requireGrant } from '../../protocol/clients/client-authentication.ts';
import { answer } from '../../protocol/endpoints/authorize.ts';
import { approveEverything } from '../../protocol/endpoints/automatic-login.ts';
import { answerAsChosen, continueAuthorization } from '../../protocol/endpoints/continue-authorization.ts';
import type { Reply, Trusted } from '../../protocol/endpoints/endpoint.ts';
import { beginSession } from '../../protocol/endpoints/sessions.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import { type ErrorCode, OAuthError, type Reason } from '../../protocol/errors.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { parseParameters } from '../../protocol/parameters.ts';
import { reachableAcr } from '../../protocol/requests/acr.ts';
import { s256 } from '../../protocol/requests/pkce.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import type { TokenResponse } from '../../protocol/tokens/issue-tokens.ts';
import { rememberAsked } from '../../protocol/users/asked-login.ts';
import { claimsObjectProblem, type LoginClaims, loginClaims } from '../../protocol/users/login-claims.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { type BrowserState, browserState } from './browser-state.ts';
import { type AskedIssuer, knownUser } from './known-user.ts';
import type { LoginRequest } from './login-request.ts';
import { refusedInput } from './refusal.ts';

/** The redirect that a browser would have followed to the client. */
export interface LoginCallback {
  /** The whole address: redirect URI, and `code`, `state` and `iss`, or an error. */
  readonly redirect: string;
  /** The `state` in the redirect. */
  readonly state: string;
  /** The issuer identifier in the redirect (RFC 9207). */
  readonly iss: string;
  /** The error code in the redirect, if an error was chosen (RFC 6749 §4.1.2.1). */
  readonly error?: string;
  readonly error_description?: string;
  /** The authorization code; absent if an error was chosen. */
  readonly code?: string;
  /** Verifier for the generated `code_challenge`; absent where the caller sent a challenge. */
  readonly code_verifier?: string;
  /** `sid` of the new session; absent where an error was chosen. */
  readonly sid?: string;
}

/** The same where no error was chosen. */
export interface LoginCode extends LoginCallback {
  readonly code: string;
  readonly sid: string;
}

/** A sign-in request with all defaults filled in. */
interface Login extends AskedIssuer {
  readonly request: LoginRequest;
  readonly client: RegisteredClient;
  readonly user: TestUser;
  readonly edited: LoginClaims | undefined;
  readonly redirect_uri: string;
  /** Absent where the caller has its own. */
  readonly code_verifier?: string;
}

/** The callback, the token response or the state of a browser, as the request demands. */
export type LoginAnswer = LoginCallback | TokenResponse | BrowserState;

/**
 * Signs a user in at a client without a browser, by the functions that browsers reach: each rule of the authorization and the
 * token endpoint holds. Consent is given, and no sign-in that waits for somebody else (`nextLogin`) is used up.
 * @throws OAuthError that says what was refused, and why
 */
export async function logInByCall(parts: AskedIssuer, request: LoginRequest): Promise<LoginAnswer> {
  const { as = 'code' } = request;
  checkForm(request);
  const planned = await plan(parts, request);
  const { callback, session, parameters } = await callBack(planned);
  if (as === 'code' || session === undefined || callback.code === undefined) return callback;
  const { client, redirect_uri } = planned;
  const { code_verifier } = callback;
  const { code } = callback;
  const tokens = await redeemCode(parts, { client, redirect_uri, code, ...defined({ code_verifier }) });
  if (as === 'tokens') return tokens;
  return browserState(parts.server, {
    client,
    redirect_uri,
    session,
    tokens,
    userInfo: request.loadUserInfo === true ? await loadUserInfo(parts, tokens) : {},
    session_state: parameters.get('session_state'),
  });
}

/** Only with the code can the caller do something about an action or a challenge, and only a browser has a profile. */
function checkForm({ as = 'code', action, code_challenge, loadUserInfo }: LoginRequest): void {
  if (as !== 'browser' && loadUserInfo !== undefined)
    throw refusedInput([{ member: 'loadUserInfo', sent: String(loadUserInfo), expected: 'nothing, or as: browser' }]);
  if (as === 'code') return;
  const only = { expected: 'nothing, or as: code' };
  const problems = [
    ...(action === undefined ? [] : [{ member: 'action', sent: action, ...only }]),
    ...(code_challenge === undefined ? [] : [{ member: 'code_challenge', sent: code_challenge, ...only }]),
  ];
  if (problems.length > 0) throw refusedInput(problems);
}

async function plan({ server, emit }: AskedIssuer, request: LoginRequest): Promise<Login> {
  const client = await knownClient(server, request.client, emit);
  const user = knownUser(server, 'user', request.user);
  requireGrant(client, 'authorization_code');
  if (request.as === 'tokens' || request.as === 'browser') credentialsOf(client); // before anybody is signed in
  const [first = client.loopback_redirects ? 'http://localhost/callback' : ''] = client.redirect_uris;
  return {
    server,
    emit,
    client,
    user,
    request: { ...request, state: request.state ?? server.random.id() },
    edited: editedClaims(user, request),
    redirect_uri: request.redirect_uri ?? first,
    ...(request.code_challenge === undefined ? { code_verifier: server.random.secret() } : {}),
  };
}

function editedClaims(user: TestUser, { claims }: LoginRequest): LoginClaims | undefined {
  if (claims === undefined) return undefined;
  const problem = claimsObjectProblem(claims);
  if (problem === undefined) return loginClaims(user, claims, { isComplete: false });
  const member = problem.name === '' ? 'claims' : `claims.${problem.name}`;
  throw refusedInput([{ member, expected: problem.reason }]);
}

/** Asks the authorization endpoint, as the browser would, and reads what it sends to the client. */
async function callBack(planned: Login) {
  const { server, request, code_verifier } = planned;
  let refused: EventOf<'error.returned'> | undefined;
  // the caller reports an error that was not asked for
  const emit: Emit = fact => {
    if (fact.type === 'error.returned' && request.action === undefined) refused = fact as EventOf<'error.returned'>;
    else planned.emit(fact);
  };
  const asked = { method: 'GET', path: server.paths.authorize, parameters: parseParameters(queryOf(planned)), emit };
  const reply = await answer(server, asked, trusted => signIn(planned, trusted));
  if (refused !== undefined) throw refusalOf(refused);
  if (reply.kind !== 'redirect') throw new Error(`a ${reply.kind} for a sign-in without a browser`);
  const parameters = new URL(reply.location).searchParams;
  const session = reply.signedIn;
  const found = ['error', 'error_description', 'code'].flatMap(name => {
    const value = parameters.get(name);
    return value === null ? [] : [[name, value]];
  });
  const callback: LoginCallback = {
    redirect: reply.location,
    state: parameters.get('state') ?? '',
    iss: server.iss,
    ...Object.fromEntries(found),
    ...(code_verifier === undefined || !parameters.has('code') ? {} : { code_verifier }),
    ...(session === undefined ? {} : { sid: session.sid }),
  };
  return { callback, session, parameters };
}

function queryOf({ client, request, redirect_uri, code_verifier }: Login): string {
  const { scope = client.scope, state, nonce, resource = [], code_challenge } = request;
  const challenge = code_verifier === undefined ? code_challenge : s256(code_verifier);
  const all = { client_id: client.client_id, redirect_uri, scope, state, nonce, code_challenge: challenge };
  const query = new URLSearchParams({ response_type: 'code', code_challenge_method: 'S256' });
  for (const [name, value] of Object.entries(all)) if (value !== undefined && value !== '') query.set(name, value);
  for (const each of [resource].flat()) query.append('resource', each);
  return query.toString();
}

/** Does the work of the sign-in page and the consent screen. */
async function signIn({ user, edited, client, request: { action } }: Login, trusted: Trusted): Promise<Reply> {
  const { server, request } = trusted;
  if (action !== undefined) return answerAsChosen(trusted, action, 'control');
  const [acr] = reachableAcr(server, trusted.asked);
  const facts = { user, method: 'click', edited, ...defined({ acr }) } as const;
  const session = await beginSession(server, facts, { by: 'control', client_id: client.client_id }, request.emit);
  await approveEverything(trusted, session);
  await rememberAsked(server, session, request.parameters); // so that nobody else signs in here
  const reply = await continueAuthorization({ ...trusted, request: { ...request, sessionId: session.id } });
  return { ...reply, signedIn: session };
}

/** The error of the authorization endpoint, as the client would get it. */
function refusalOf({ error, reason, description, sent, expected }: EventOf<'error.returned'>): OAuthError {
  // both were an OAuthError's own when it was told
  return new OAuthError(error as ErrorCode, reason as Reason, description, defined({ sent, expected }));
}

/** A code, and what it was given for. */
interface Redeemed {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
  readonly code: string;
  readonly code_verifier?: string;
}

/**
 * Redeems the code in the name of the client.
 * @throws OAuthError where the token endpoint refuses it; invalid_request for a client whose private key is unknown
 * here
 */
async function redeemCode(
  { server, emit }: AskedIssuer,
  { client, redirect_uri, code, code_verifier = '' }: Redeemed,
): Promise<TokenResponse> {
  const { authorization, form } = credentialsOf(client);
  const own = { grant_type: 'authorization_code', code, redirect_uri, code_verifier };
  const reply = await token(server, {
    method: 'POST',
    path: server.paths.token,
    parameters: parseParameters(new URLSearchParams({ ...own, ...form }).toString()),
    emit,
    ...defined({ authorization }),
  });
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind} from the token endpoint`);
  return reply.body as TokenResponse; // what the endpoint makes of a code
}

/**
 * Client authentication at the token endpoint, by the methods it is registered for (RFC 6749 §2.3), as far as this server knows what they need.
 * @throws invalid_request for those whose key only the client has
 */
function credentialsOf({ client_id, client_secret, token_endpoint_auth_methods: methods }: RegisteredClient): {
  readonly authorization?: string;
  readonly form: Readonly<Record<string, string>>;
} {
  if (client_secret !== undefined && methods.includes('client_secret_basic')) {
    const [id, secret] = [client_id, client_secret].map(encodeURIComponent);
    return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`, form: {} };
  }
  if (client_secret !== undefined && methods.includes('client_secret_post'))
    return { form: { client_id, client_secret } };
  if (methods.includes('none')) return { form: { client_id } };
  const expected = `code: ${client_id} authenticates with ${methods.join(' or ')}, and only that client has the key`;
  throw refusedInput([{ member: 'as', sent: 'tokens', expected }]);
}

/** The UserInfo response for these tokens; nothing where the sign-in was not an OpenID Connect one (OIDC Core §5.3). */
async function loadUserInfo(
  { server, emit }: AskedIssuer,
  { access_token, id_token }: TokenResponse,
): Promise<ParsedObject> {
  if (id_token === undefined) return {};
  const reply = await userinfo(server, {
    method: 'GET',
    path: server.paths.userinfo,
    parameters: parseParameters(''),
    authorization: `Bearer ${access_token}`,
    emit,
  });
  if (reply.kind === 'text') return decodeJwt(reply.body)?.claims ?? {};
  return reply.kind === 'json' ? { ...reply.body } : {};
}
