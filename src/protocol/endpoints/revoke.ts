import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isPublic, type RegisteredClient } from '../clients/client.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { invalidRequest } from '../errors.ts';
import { revokeAuthorization, withdrawRefreshToken } from '../kept-authorizations.ts';
import { lenientParameter, requiredParameter } from '../parameters.ts';
import { type FoundToken, findToken } from '../tokens/find-token.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** RFC 7009 §2.2 requires only 200. An empty text body breaks popular libraries, so the body is `{}`. */
const done: Reply = { kind: 'json', status: 200, body: {} };

/**
 * Token revocation (RFC 7009). Revoking any token of an authorization ends all of it: its access tokens, its refresh
 * tokens, and tokens exchanged for them. A token that is unknown or already ended is not an error (§2.2).
 */
export async function revoke(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  const { client } = await authenticateClient(server, request);
  const token = requiredParameter(parameters, 'token');
  const found = await findToken(server, token, lenientParameter(parameters, 'token_type_hint'));
  if (found === undefined) return done;
  if (found.client_id !== client.client_id) return refuseForeign(client);
  if (found.state === 'expired' || found.state === 'ended' || found.state === 'revoked') return done;
  await endAuthorization(server, token, found, emit);
  return done;
}

/** Ends the authorization behind a token. */
export async function endAuthorization(
  server: AuthorizationServer,
  token: string,
  found: FoundToken,
  emit: Emit,
): Promise<void> {
  const { authorizationId, client_id } = found;
  await revokeAuthorization(server, authorizationId);
  // a token that is stored by its value is deleted, so that its revocation need not be remembered
  if (found.record !== undefined) await withdrawRefreshToken(server, token, found.record);
  else await server.store.delete(['access_token', token]);
  emit({ type: 'token.revoked', authorizationId, client_id, reason: 'revoked_by_client' });
}

/** RFC 7009 §2.1: only for a client that authenticated. A public one could find out by trial which tokens are valid. */
function refuseForeign(client: RegisteredClient): Reply {
  if (isPublic(client)) return done;
  throw invalidRequest('token_of_another_client', 'the token was issued to a different client and was not revoked', {
    expected: 'a token issued to this client',
  });
}
