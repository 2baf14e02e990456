import type { AuthorizationServer } from '../authorization-server.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { invalidGrant } from '../errors.ts';
import { revokeAuthorization } from '../kept-authorizations.ts';
import { requiredParameter } from '../parameters.ts';
import { withdrawRefreshToken } from '../refresh-token.ts';
import { findToken } from '../tokens/find-token.ts';
import { findSessionBySid } from '../users/session.ts';
import { closeSession } from './close-session.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/**
 * A logout by a back end: it posts the refresh token, which ends the session behind it without a browser, and gets 204.
 * @throws invalid_grant for a refresh token that is not one of this client, or not valid
 */
export async function logoutByRefreshToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  const token = requiredParameter(request.parameters, 'refresh_token');
  const found = await findToken(server, token, 'refresh_token');
  if (found?.record === undefined) {
    throw invalidGrant('refresh_token_expired_or_unknown', 'the refresh token is unknown or has expired');
  }
  if (found.client_id !== client.client_id) {
    const description = 'the refresh token was issued to a different client';
    throw invalidGrant('refresh_token_of_another_client', description, { expected: found.client_id });
  }
  if (found.state === 'revoked') return { kind: 'empty' }; // a logout that is sent again
  const { sid = '' } = found.record.authorization.session ?? {};
  const session = await findSessionBySid(server, sid);
  if (session !== undefined) await closeSession(server, session, { by: client }, request.emit);
  else {
    await revokeAuthorization(server, found.authorizationId);
    const { authorizationId, client_id } = found;
    request.emit({ type: 'token.revoked', authorizationId, client_id, reason: 'revoked_by_client' });
  }
  await withdrawRefreshToken(server, token, found.record);
  return { kind: 'empty' };
}
