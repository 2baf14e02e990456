import { defined } from '../../base/defined.ts';
import type { Authorization, Redemption } from '../authorization.ts';
import type { ClientCall } from '../authorization-server.ts';
import { brings } from '../clients/response-type.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { ResponseParameters } from '../requests/authorization-response.ts';
import { formatScope } from '../scope.ts';
import { issueAccessToken, issueIdToken } from '../tokens/issue-tokens.ts';

/**
 * The tokens of the implicit and the hybrid flow (RFC 6749 §4.2.2, OIDC Core §3.2.2.5, §3.3.2.5), never a refresh token.
 * They belong to the authorization of the code, so that a replay of the code revokes them, too.
 */
export async function issueFrontChannelTokens(
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

/** A code, and its public name. */
export interface IssuedCode {
  readonly code: string;
  readonly tokenId: string;
}
