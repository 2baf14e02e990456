import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { endpointUrl } from '../../oauth/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../oauth/endpoints/endpoint.ts';
import { rejectUnreadable } from '../../oauth/parameters.ts';
import { heardResource } from './scopes.ts';
import { requireTenant } from './tenant.ts';

/**
 * The authorization endpoint of version 1.0. It names the API by `resource`, and always asks for an identity. The request
 * goes on at the endpoint of version 2.0 with a scope that says the same.
 */
export async function firstAuthorize(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  rejectUnreadable(request.parameters);
  const { values } = heardResource(request.parameters);
  const scope = ['openid profile email offline_access', values.get('scope') ?? ''].join(' ').trim();
  const query = new URLSearchParams([...new Map([...values, ['scope', scope]])]);
  return { kind: 'redirect', location: `${endpointUrl(server, 'authorize')}?${query}` };
}
