import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { unknownParameters } from '../parameters.ts';
import { authorizationParameters, parseAuthorizationRequest } from '../requests/authorization-request.ts';
import { type ResponseTarget, responseTarget } from '../requests/authorization-response.ts';
import { type EffectiveRequest, effectiveRequest, plainTarget } from '../requests/effective-request.ts';
import { dropPushedRequest, keepPushedRequest } from '../requests/pushed-request.ts';
import { trustedRedirectUri } from '../requests/trusted-target.ts';
import { formatScope } from '../scope.ts';
import { forgetAsked } from '../users/asked-login.ts';
import type { ChosenAnswer } from '../users/next-login.ts';
import { answerAsChosen, continueAuthorization, loginPageAgain } from './continue-authorization.ts';
import { deliverError } from './deliver-response.ts';
import type { EndpointRequest, LoginPage, Reply, Trusted } from './endpoint.ts';

/**
 * The authorization endpoint (RFC 6749 §3.1, OIDC Core §3.1.2). Before the client and the redirect URI are trusted, an
 * error is thrown and becomes a page. Afterwards it is sent to the redirect URI.
 */
export function authorize(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return answer(server, request, continueAuthorization);
}

/** Sends the denial or the error that the user chose. The request passes the same checks as one that gets a code. */
export function denyAuthorization(
  server: AuthorizationServer,
  request: EndpointRequest,
  choice: ChosenAnswer | 'deny' = 'deny',
): Promise<Reply> {
  return answer(server, request, trusted => answerAsChosen(trusted, choice, 'login_screen'));
}

/** The login page for a valid authorization request; undefined for an invalid one, whose error `authorize` reports. */
export async function pendingLogin(
  server: AuthorizationServer,
  request: EndpointRequest,
): Promise<LoginPage | undefined> {
  try {
    const effective = await effectiveRequest(server, request.parameters, request.emit);
    const { client, parameters } = effective;
    const redirect_uri = trustedRedirectUri(server, client, parameters);
    const target = responseTarget(server, client, redirect_uri, parameters);
    const asked = await parseAuthorizationRequest(server, client, redirect_uri, parameters);
    return await loginPageAgain({ server, request, target, asked, effective });
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

/** Checks a request and calls `proceed`. Sends the errors of both to the redirect URI once that is trusted. */
export async function answer(
  server: AuthorizationServer,
  request: EndpointRequest,
  proceed: (trusted: Trusted) => Promise<Reply>,
): Promise<Reply> {
  const effective = await open(server, request);
  if ('kind' in effective) return effective;
  const { client, parameters, pushed } = effective;
  const redirect_uri = trustedRedirectUri(server, client, parameters);
  const target = responseTarget(server, client, redirect_uri, parameters);
  try {
    const asked = await parseAuthorizationRequest(server, client, redirect_uri, parameters);
    const trusted = { server, request, target, asked, effective };
    emitRequested(trusted);
    const reply = await proceed(trusted);
    if (pushed !== undefined && reply.kind === 'page') await keepPushedRequest(server, pushed);
    return reply;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (pushed !== undefined) await dropPushedRequest(server, pushed);
    if (request.sessionId !== undefined) await forgetAsked(server, { id: request.sessionId }, request.parameters);
    return refuse(server, request, target, error);
  }
}

/** Opens the request object, if there is one. Returns a refusal that must go to the redirect URI outside the object. */
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

function emitRequested({ server, request, asked, effective: { parameters, source } }: Trusted): void {
  request.emit({
    type: 'authorization.requested',
    client_id: asked.client_id,
    redirect_uri: asked.redirect_uri,
    response_type: asked.response_type,
    response_mode: asked.response_mode,
    source,
    scope: formatScope(asked.scopes),
    ...(asked.prompt.length === 0 ? {} : { prompt: asked.prompt.join(' ') }),
    ...(asked.code_challenge === undefined ? {} : { code_challenge_method: 'S256' }),
    ignored: unknownParameters(parameters, authorizationParameters(server)),
  });
}

function refuse(
  server: AuthorizationServer,
  request: EndpointRequest,
  target: ResponseTarget,
  error: OAuthError,
): Promise<Reply> {
  const { sent, expected } = error.details;
  request.emit({
    type: 'error.returned',
    endpoint: 'authorize',
    form: 'redirect',
    status: 302,
    error: error.code,
    reason: error.reason,
    description: error.fullDescription,
    client_id: target.client.client_id,
    sent,
    expected,
  });
  return deliverError(server, target, error, request);
}
