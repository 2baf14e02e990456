import { isPublic } from '../../../oauth/clients/client.ts';
import type { EndpointRequest } from '../../../oauth/endpoints/endpoint.ts';
import { invalidToken } from '../../../oauth/errors.ts';
import { bearerToken } from '../../../oauth/proofs/bearer-token.ts';
import { checkBinding } from '../../../oauth/proofs/bound-access-token.ts';
import type { Confirmation } from '../../../oauth/proofs/confirmation.ts';
import { scopesIn } from '../../../oauth/scope.ts';
import type { ManagementCaller } from '../../management/call.ts';
import type { Tenant } from './tenant.ts';

/**
 * The client behind an access token for the Management API. Tokens of users are refused, because everybody who reaches a
 * sandbox can log in as any of them, and so are clients that registered themselves.
 * @throws invalid_token
 */
export async function authenticate({ server }: Tenant, request: EndpointRequest): Promise<ManagementCaller> {
  const token = bearerToken(request.authorization);
  if (token === undefined) {
    const expected = 'Authorization: Bearer <access token>';
    throw invalidToken('access_token_missing', 'no access token was sent', { expected });
  }
  const { verifyAccessToken } = await import('../../../oauth/tokens/verify-access-token.ts'); // loads jose
  const claims = await verifyAccessToken(server, token);
  // the token is ours, so its cnf can be trusted
  await checkBinding(server, { token, scheme: 'Bearer', method: request.method }, claims.cnf as Confirmation, request);
  const audience = `${server.issuer}/api/v2/`;
  if (![claims.aud].flat().includes(audience))
    throw invalidToken('access_token_for_another_resource', 'Bad audience', {
      sent: String(claims.aud),
      expected: audience,
    });
  const { sub, client_id } = claims;
  const client = server.clients.get(String(client_id));
  if (sub !== client_id || client === undefined || client.origin !== 'configuration' || isPublic(client))
    throw invalidToken('access_token_unreadable', 'only a client of the configuration may call the Management API');
  const scopes = new Set(scopesIn(claims.scope));
  return { name: client.client_id, has: right => scopes.has(right) };
}
