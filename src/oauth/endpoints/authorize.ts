import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { OAuthError } from '../errors.ts';
import { unknownParameters } from '../parameters.ts';
import {
  type AuthorizationRequest,
  authorizationParameters,
  parseAuthorizationRequest,
} from '../requests/authorization-request.ts';
import { type ResponseTarget, responseTarget } from '../requests/authorization-response.ts';
import { type GrantedRequest, mayNeedConsent } from '../requests/consent-need.ts';
import { type EffectiveRequest, effectiveRequest, plainTarget } from '../requests/effective-request.ts';
import { withExtras } from '../requests/request-extras.ts';
import { trustedRedirectUri } from '../requests/trusted-target.ts';
import { formatScope } from '../scope.ts';
import { loadHint } from '../tokens/load-hint.ts';
import { forgetAsked, onceAsked, wasAsked } from '../users/asked-login.ts';
import { claimedUser } from '../users/claimed-user.ts';
import { type LoginNeed, whyAsk } from '../users/login-need.ts';
import { findSession, type Session } from '../users/session.ts';
import { deliver, deliverError } from './deliver-response.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';
import { issueResponse } from './issue-response.ts';

/**
 * The authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). An error before client and redirect URI are trusted is
 * thrown and becomes a page; from then on it is told to the redirect URI.
 */
export function authorize(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return answer(server, request, continueAuthorization);
}

/** The user says no: the same request, the same checks, and `access_denied` where the code would have been. */
export function denyAuthorization(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return answer(server, request, async () => {
    throw new OAuthError('access_denied', 'user_denied', 'the user denied the request on the login screen');
  });
}

/** The request a login is for, as far as it is a good one; what is wrong with another is told when it goes on. */
export async function pendingRequest(
  server: AuthorizationServer,
  { parameters, emit }: Pick<EndpointRequest, 'parameters' | 'emit'>,
): Promise<AuthorizationRequest | undefined> {
  try {
    const effective = await effectiveRequest(server, parameters, emit);
    const redirect_uri = trustedRedirectUri(effective.client, effective.parameters);
    return await checkedRequest(server, effective, redirect_uri);
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

/** A request whose client and redirect URI are trusted, and whose parameters are checked. */
export interface Trusted {
  readonly target: ResponseTarget;
  readonly asked: AuthorizationRequest;
  readonly effective: EffectiveRequest;
}

export type Proceed = (server: AuthorizationServer, request: EndpointRequest, trusted: Trusted) => Promise<Reply>;

/** Checks a request, and tells what is wrong with it, or what `proceed` throws, where it may be told. */
export async function answer(server: AuthorizationServer, request: EndpointRequest, proceed: Proceed): Promise<Reply> {
  const effective = await open(server, request);
  if ('kind' in effective) return effective;
  const { client, parameters, pushed } = effective;
  const redirect_uri = trustedRedirectUri(client, parameters);
  const target = responseTarget(server, client, redirect_uri, parameters);
  try {
    const asked = await checkedRequest(server, effective, redirect_uri);
    emitRequested(server, request, effective, asked);
    const reply = await proceed(server, request, { target, asked, effective });
    if (pushed !== undefined && reply.kind === 'page') await keepPushed(server, pushed);
    return reply;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (pushed !== undefined) await usePushed(server, pushed, 'refused');
    if (request.sessionId !== undefined) await forgetAsked(server, { id: request.sessionId }, request.parameters);
    return refuse(server, request, target, error);
  }
}

function checkedRequest(
  server: AuthorizationServer,
  { client, parameters }: EffectiveRequest,
  redirect_uri: string,
): Promise<AuthorizationRequest> {
  const asked = parseAuthorizationRequest(server, client, redirect_uri, parameters);
  return withExtras(server, client, asked, parameters);
}

/** What the request stands for; a refusal already, where a request object is told of at the redirect URI beside it. */
async function open(server: AuthorizationServer, request: EndpointRequest): Promise<EffectiveRequest | Reply> {
  try {
    return await effectiveRequest(server, request.parameters, request.emit);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const target = await plainTarget(server, request.parameters, error);
    if (target === undefined) throw error;
    return refuse(server, request, target, error);
  }
}

async function continueAuthorization(
  server: AuthorizationServer,
  request: EndpointRequest,
  { target, asked, effective }: Trusted,
): Promise<Reply> {
  const session = await findSession(server, request.sessionId);
  const { need, isAsked } = await loginNeed(server, request, { target, asked, effective }, session);
  if (need === undefined && session !== undefined) {
    const granted = await consented(server, request, { client: target.client, session }, asked);
    if ('kind' in granted) return granted;
    if (effective.pushed !== undefined) await usePushed(server, effective.pushed, 'answered');
    const parameters = await issueResponse({ server, emit: request.emit, client: target.client }, granted, session);
    if (isAsked) await forgetAsked(server, session, request.parameters);
    return deliver(server, target, parameters);
  }
  const { cause, hinted } = need ?? { cause: 'no_session' as const, hinted: undefined };
  if (asked.prompt.includes('none')) throw loginRequired(cause);
  return {
    kind: 'page',
    page: {
      name: 'login',
      client: target.client,
      request: asked,
      cause,
      ...(session === undefined ? {} : { session }),
      ...(hinted === undefined ? {} : { hinted }),
    },
  };
}

/** Why the user must be asked, which they may just have been. */
async function loginNeed(
  server: AuthorizationServer,
  { parameters }: EndpointRequest,
  { target: { client }, asked }: Trusted,
  session: Session | undefined,
): Promise<{ need: LoginNeed | undefined; isAsked: boolean }> {
  const hint = asked.id_token_hint === undefined ? undefined : await loadHint(server, asked.id_token_hint);
  // OIDC Core §3.1.2.2: no answer for anybody else, whoever has logged in meanwhile; a login_hint is only a hint
  const wanted = claimedUser(server, client, asked, session) ?? hint?.user;
  const need = whyAsk(server, asked, session, wanted);
  if (need === undefined || session === undefined) return { need, isAsked: false };
  const isAsked = await wasAsked(server, session, parameters);
  return { need: isAsked ? whyAsk(server, onceAsked(asked), session, wanted) : need, isAsked };
}

/** The request as far as the user allows it, or the consent screen; most clients need none. */
async function consented(
  server: AuthorizationServer,
  { browserId, parameters }: EndpointRequest,
  { client, session }: { readonly client: RegisteredClient; readonly session: Session },
  asked: AuthorizationRequest,
): Promise<GrantedRequest | Reply> {
  if (!mayNeedConsent(client, asked)) return asked;
  const { settleConsent } = await import('../requests/consent.ts');
  const granted = await settleConsent(server, { client, session, browserId, parameters }, asked);
  return granted ?? { kind: 'page', page: { name: 'consent', client, request: asked, session } };
}

const whyNotSilent: Readonly<Record<string, string>> = {
  no_session: 'nobody is logged in in this browser',
  max_age: 'the login is older than max_age',
  hint: 'somebody else is logged in than the request names',
  acr_values: 'the login has another acr than the request calls essential',
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

async function keepPushed(server: AuthorizationServer, request_uri: string): Promise<void> {
  const { keepPushedRequest } = await import('../requests/pushed-request.ts');
  await keepPushedRequest(server, request_uri);
}

/** One answer for each pushed request; a refusal takes no offence at one that is gone. */
async function usePushed(server: AuthorizationServer, request_uri: string, how: 'answered' | 'refused'): Promise<void> {
  const { dropPushedRequest, usePushedRequest } = await import('../requests/pushed-request.ts');
  await (how === 'answered' ? usePushedRequest : dropPushedRequest)(server, request_uri);
}

function emitRequested(
  server: AuthorizationServer,
  { emit }: EndpointRequest,
  { parameters, source }: EffectiveRequest,
  asked: AuthorizationRequest,
): void {
  const scope = formatScope(asked.scopes);
  emit({
    type: 'authorization.requested',
    client_id: asked.client_id,
    redirect_uri: asked.redirect_uri,
    response_type: asked.response_type,
    response_mode: asked.response_mode,
    ...(source === undefined ? {} : { source }),
    ...(scope === undefined ? {} : { scope }),
    ...(asked.prompt.length === 0 ? {} : { prompt: asked.prompt.join(' ') }),
    ...(asked.code_challenge === undefined ? {} : { code_challenge_method: 'S256' }),
    ignored: unknownParameters(parameters, authorizationParameters(server)),
  });
}

function refuse(
  server: AuthorizationServer,
  { emit, errorUri }: EndpointRequest,
  target: ResponseTarget,
  error: OAuthError,
): Promise<Reply> {
  const { sent, expected } = error.details;
  emit({
    type: 'error.returned',
    endpoint: 'authorize',
    form: 'redirect',
    status: 302,
    error: error.code,
    reason: error.reason,
    description: error.description,
    client_id: target.client.client_id,
    ...(sent === undefined ? {} : { sent }),
    ...(expected === undefined ? {} : { expected }),
  });
  return deliverError(server, target, error, errorUri);
}
