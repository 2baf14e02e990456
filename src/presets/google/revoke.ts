import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { forgetGrant } from '../../oauth/dialects/earlier-grant.ts';
import type { EndpointRequest, Reply } from '../../oauth/endpoints/endpoint.ts';
import { endAuthorization } from '../../oauth/endpoints/revoke.ts';
import { invalidToken } from '../../oauth/errors.ts';
import { rejectUnreadable, requiredParameter } from '../../oauth/parameters.ts';
import { findToken } from '../../oauth/tokens/find-token.ts';

/**
 * Ends the grant behind a token. The caller needs the token alone, and no credential. The next login of the user gives a
 * refresh token again.
 */
export async function revokeToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  rejectUnreadable(parameters);
  const token = requiredParameter(parameters, 'token');
  const found = await findToken(server, token);
  if (found?.state !== 'active' && found?.state !== 'replaced') {
    throw invalidToken('access_token_revoked', 'Token expired or revoked', { status: 400 });
  }
  await endAuthorization(server, token, found, emit);
  await forgetGrant(server, [found.client_id, String(found.record?.authorization.sub ?? found.claims.sub)]);
  return { kind: 'json', status: 200, body: {} };
}
