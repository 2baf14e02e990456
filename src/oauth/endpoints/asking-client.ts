import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient, TokenEndpointAuthMethod } from '../clients/client.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { requireGrant } from '../clients/registered-grant.ts';
import { rejectUnreadable } from '../parameters.ts';
import type { EndpointRequest } from './endpoint.ts';

/**
 * The client of a request that begins a grant, authenticated as at the token endpoint (RFC 8628 §3.1, OIDC CIBA §7.1).
 * @throws invalid_client, unauthorized_client
 */
export async function askingClient(
  server: AuthorizationServer,
  request: EndpointRequest,
  grantType: string,
): Promise<{ client: RegisteredClient; method: TokenEndpointAuthMethod }> {
  rejectUnreadable(request.parameters);
  const { client, method } = await authenticateClient(server, request);
  request.emit({ type: 'client.authenticated', client_id: client.client_id, method });
  requireGrant(client, grantType);
  return { client, method };
}
