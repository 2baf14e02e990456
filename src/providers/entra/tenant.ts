import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import { addressOf, tenantNames } from './places.ts';

/**
 * The name of the tenant in the path of a request.
 * @throws invalid_request for a tenant that this sandbox does not have
 */
export async function requireTenant(server: AuthorizationServer, { path }: EndpointRequest): Promise<string> {
  const { options = {} } = server.dialect ?? {};
  const { pathname } = new URL(addressOf(server));
  const sent = path.slice(pathname.replace(/\/$/, '').length).split('/')[1] ?? '';
  const known = [options.tenant ?? '', ...tenantNames(options)];
  if (known.includes(sent.toLowerCase())) return sent.toLowerCase();
  throw invalidRequest('tenant_unknown', `there is no tenant ${shorten(sent)}`, {
    sent: shorten(sent),
    expected: known.join(' or '),
  });
}
