import { putCode } from '../authorization-code.ts';
import {
  type AuthorizationRequest,
  authorizationParameters,
  parseAuthorizationRequest,
} from '../authorization-request.ts';
import { errorResponse, type ResponseTarget, responseTarget, successResponse } from '../authorization-response.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { whyAsk } from '../login-need.ts';
import { unknownParameters } from '../parameters.ts';
import { randomId, randomSecret, randomTokenId } from '../random.ts';
import { formatScope } from '../scope.ts';
import { findSession, type Session } from '../session.ts';
import { loadHint } from '../tokens/load-hint.ts';
import { trustTarget } from '../trusted-target.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

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

interface Trusted {
  readonly target: ResponseTarget;
  readonly asked: AuthorizationRequest;
}

async function answer(
  server: AuthorizationServer,
  request: EndpointRequest,
  proceed: (server: AuthorizationServer, request: EndpointRequest, trusted: Trusted) => Promise<Reply>,
): Promise<Reply> {
  const { client, redirect_uri } = await trustTarget(server, request.parameters);
  const target = responseTarget(client, redirect_uri, request.parameters);
  try {
    const asked = parseAuthorizationRequest(client, redirect_uri, request.parameters);
    emitRequested(request, asked);
    return await proceed(server, request, { target, asked });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    emitRefused(request, target, error);
    return errorResponse(server.issuer, target, error, request.errorUri);
  }
}

async function continueAuthorization(
  server: AuthorizationServer,
  request: EndpointRequest,
  { target, asked }: Trusted,
): Promise<Reply> {
  const session = await findSession(server, request.sessionId);
  const hint = asked.id_token_hint === undefined ? undefined : await loadHint(server, asked.id_token_hint);
  const need = whyAsk(server, asked, session, hint?.sub);
  if (need === undefined && session !== undefined) return issueCode(server, request, { target, asked }, session);
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

const whyNotSilent: Readonly<Record<string, string>> = {
  no_session: 'nobody is logged in in this browser',
  max_age: 'the login is older than max_age',
  hint: 'somebody else is logged in than the hint names',
};

/** OIDC Core §3.1.2.6. */
function loginRequired(cause: string): OAuthError {
  const description = `prompt=none, but ${whyNotSilent[cause] ?? 'the user would have to be asked'}`;
  return new OAuthError('login_required', 'login_required', description, {
    sent: 'prompt=none',
    expected: 'a session',
  });
}

async function issueCode(
  server: AuthorizationServer,
  { emit }: EndpointRequest,
  { target, asked }: Trusted,
  { sid, sub, auth_time, acr, amr }: Session,
): Promise<Reply> {
  const code = randomSecret();
  const tokenId = randomTokenId();
  const iat = server.clock();
  const exp = iat + server.lifetimes.code;
  const { client_id, redirect_uri, scopes, resources, nonce, code_challenge } = asked;
  const authorization = {
    id: randomId(),
    client_id,
    grant_type: 'authorization_code',
    sub,
    scopes,
    resources,
    session: { sid, auth_time, acr, amr },
    ...(nonce === undefined ? {} : { nonce }),
  };
  const challenge = code_challenge === undefined ? {} : { code_challenge };
  await putCode(server, code, { authorization, redirect_uri, ...challenge, tokenId, exp });
  const scope = formatScope(scopes);
  const issued = { tokenId, token: code, authorizationId: authorization.id, client_id, sub, iat, exp, redirect_uri };
  emit({ type: 'code.issued', ...issued, ...(scope === undefined ? {} : { scope }) });
  return successResponse(server.issuer, target, code);
}

function emitRequested({ emit, parameters }: EndpointRequest, asked: AuthorizationRequest): void {
  const scope = formatScope(asked.scopes);
  emit({
    type: 'authorization.requested',
    client_id: asked.client_id,
    redirect_uri: asked.redirect_uri,
    response_type: asked.response_type,
    response_mode: asked.response_mode,
    ...(scope === undefined ? {} : { scope }),
    ...(asked.prompt.length === 0 ? {} : { prompt: asked.prompt.join(' ') }),
    ...(asked.code_challenge === undefined ? {} : { code_challenge_method: 'S256' }),
    ignored: unknownParameters(parameters, authorizationParameters),
  });
}

function emitRefused({ emit }: EndpointRequest, { client }: ResponseTarget, error: OAuthError): void {
  const { sent, expected } = error.details;
  emit({
    type: 'error.returned',
    endpoint: 'authorize',
    form: 'redirect',
    status: 302,
    error: error.code,
    reason: error.reason,
    description: error.description,
    client_id: client.client_id,
    ...(sent === undefined ? {} : { sent }),
    ...(expected === undefined ? {} : { expected }),
  });
}
