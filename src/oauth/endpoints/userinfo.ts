import { findAuthorization, parseTokenIdentifier } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { bearerToken } from '../bearer-token.ts';
import { insufficientScope, invalidToken } from '../errors.ts';
import { parseScope } from '../scope.ts';
import { requestedClaims, userClaims } from '../user-claims.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** UserInfo (OIDC Core §5.3): the claims that the scopes of the access token release. */
export async function userinfo(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const body = request.method === 'POST' ? request.parameters : undefined;
  const token = bearerToken(request.authorization, body);
  if (token === undefined) {
    const description = 'no access token was sent';
    throw invalidToken('access_token_missing', description, { expected: 'Authorization: Bearer <access token>' });
  }
  const { verifyAccessToken } = await import('../tokens/verify-access-token.ts'); // with jose, which a start does without
  const { sub: shown = '', scope, jti = '' } = await verifyAccessToken(server, token);
  // absent where the token says it all
  const authorization = await findAuthorization(server, parseTokenIdentifier(jti).authorizationId);
  const sub = authorization?.sub ?? shown;
  const scopes = Array.isArray(scope) ? scope.map(String) : parseScope(typeof scope === 'string' ? scope : undefined);
  if (!scopes.includes('openid')) {
    const sent = scopes.join(' ') || 'a token without scope';
    throw insufficientScope('scope_missing_openid', 'UserInfo needs the scope openid', { sent, expected: 'openid' });
  }
  if (!server.users.has(sub)) {
    throw invalidToken('access_token_not_for_a_user', 'the access token is not about a user of this sandbox');
  }
  const asked = requestedClaims(server, sub, authorization?.claims?.userinfo);
  return { kind: 'json', status: 200, body: { ...userClaims(server, sub, scopes), ...asked, sub: shown } };
}
