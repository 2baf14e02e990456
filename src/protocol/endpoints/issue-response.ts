import { defined } from '../../base/defined.ts';
import type { Authorization, Redemption } from '../authorization.ts';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import { putCode } from '../kept-authorizations.ts';
import type { RequestParameters } from '../parameters.ts';
import { brings } from '../profile.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { ResponseParameters } from '../requests/authorization-response.ts';
import { formatScope } from '../scope.ts';
import { issueAccessToken, issueIdToken, newSecret } from '../tokens/issue-tokens.ts';
import type { GrantedRequest } from '../users/consent.ts';
import { joinSession, type Session, sessionStateParameter } from '../users/session.ts';

/** Issues a code (RFC 6749 §4.1.2), tokens (OIDC Core §3.2.2.5), or both (§3.3.2.5), by the response type. */
export async function issueResponse(
  issue: ClientCall & { readonly parameters: RequestParameters },
  asked: GrantedRequest,
  session: Session,
): Promise<ResponseParameters> {
  const usual = authorizationOf(issue.server, asked, session);
  const given = { ...issue, prompt: asked.prompt, authorization: usual };
  const { authorization, parameters } = (await issue.server.dialect?.grant?.(issue.server, given)) ?? {
    authorization: usual,
    parameters: {},
  };
  await joinSession(issue.server, issue.client, authorization);
  const state = sessionStateParameter(issue.server, session, asked);
  const issued = brings(asked.response_type, 'code') ? await issueCode(issue, asked, authorization) : undefined;
  const others = { ...state, ...parameters };
  if (asked.response_type === 'code' && issued !== undefined) return { code: issued.code, ...others };
  return { ...(await issueFrontChannelTokens(issue, asked, authorization, issued)), ...others };
}

/** The authorization that this answer gives to the client. */
export function authorizationOf(
  server: Pick<AuthorizationServer, 'random'>,
  asked: GrantedRequest,
  session: Session,
): Authorization & { readonly sub: string } {
  const { client_id, scopes, resources, nonce, response_type, claims, authorization_details, organization } = asked;
  const declined = asked.declined?.length ? asked.declined : undefined;
  const { sid, sub, auth_time, acr, amr, edited } = session;
  return {
    id: server.random.id(),
    client_id,
    grant_type: brings(response_type, 'code') ? 'authorization_code' : 'implicit',
    sub,
    scopes,
    resources,
    session: { sid, auth_time, acr, amr },
    ...defined({ nonce, edited, claims, authorization_details, organization, declined }),
  };
}

async function issueCode(
  { server, emit }: ClientCall,
  { redirect_uri, hasNoRedirectUri, code_challenge, dpop_jkt }: AuthorizationRequest,
  authorization: Authorization & { readonly sub: string },
): Promise<IssuedCode> {
  const code = newSecret(server, 'code');
  const tokenId = server.random.tokenId();
  const iat = server.clock();
  const exp = iat + server.lifetimes.code;
  const bound = defined({ hasNoRedirectUri, code_challenge, dpop_jkt });
  await putCode(server, code, { authorization, redirect_uri, ...bound, tokenId, exp });
  const { id: authorizationId, client_id, sub, scopes } = authorization;
  const issued = { tokenId, token: code, authorizationId, client_id, sub, iat, exp, redirect_uri };
  emit({ type: 'code.issued', ...issued, scope: formatScope(scopes) });
  return { code, tokenId };
}

/**
 * The tokens of the implicit and the hybrid flow (RFC 6749 §4.2.2, OIDC Core §3.2.2.5, §3.3.2.5), never a refresh token.
 * They belong to the authorization of the code, so that a replay of the code revokes them, too.
 */
async function issueFrontChannelTokens(
  { server, client, emit }: ClientCall,
  asked: AuthorizationRequest,
  authorization: Authorization,
  issued: IssuedCode | undefined,
): Promise<ResponseParameters> {
  const { response_type } = asked;
  const { scopes, resources } = authorization;
  const parent = issued === undefined ? {} : { parentTokenId: issued.tokenId };
  const redemption: Redemption = { authorization, scopes, resources, ...parent };
  const issue = { server, client, redemption, emit, asked };
  const access = brings(response_type, 'token') ? await issueAccessToken(issue) : undefined;
  const beside = { accessToken: access?.token, code: issued?.code };
  const id_token = brings(response_type, 'id_token') ? await issueIdToken(issue, beside) : undefined;
  return {
    ...(issued === undefined ? {} : { code: issued.code }),
    ...(access === undefined ? {} : accessParameters(access.token, access.exp - access.iat, scopes)),
    ...defined({ id_token }),
  };
}

/** RFC 6749 §4.2.2. */
function accessParameters(access_token: string, expiresIn: number, scopes: readonly string[]): ResponseParameters {
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: String(expiresIn),
    ...defined({ scope: formatScope(scopes) }),
  };
}

interface IssuedCode {
  readonly code: string;
  readonly tokenId: string;
}
