import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { invalidToken } from '../../../protocol/errors.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import { bearerClaims, requireBearer } from '../../management/bearer.ts';
import type { ManagementCaller } from '../../management/call.ts';
import type { Tenant } from './tenant.ts';

/**
 * The client behind an access token for the Management API. Tokens of users are refused, because everybody who reaches a
 * sandbox can log in as any of them, and so are clients that registered themselves.
 * @throws invalid_token
 */
export async function authenticate({ server }: Tenant, request: EndpointRequest): Promise<ManagementCaller> {
  const claims = await bearerClaims(server, requireBearer(request), request);
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
