import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { allowsPostLogoutRedirectUri } from '../../oauth/clients/client.ts';
import { confirmLogout } from '../../oauth/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../oauth/endpoints/endpoint.ts';
import { lenientParameter } from '../../oauth/parameters.ts';
import { withValues } from './scopes.ts';
import { requireTenant } from './tenant.ts';

/**
 * Ends the session without a question. A `post_logout_redirect_uri` needs neither a client nor a hint: it is enough that
 * some client has registered it. With an address that nobody registered, the user stays on the page that says goodbye.
 */
export async function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  const { parameters } = request;
  const named = lenientParameter(parameters, 'client_id') ?? lenientParameter(parameters, 'id_token_hint');
  const uri = lenientParameter(parameters, 'post_logout_redirect_uri');
  if (named !== undefined || uri === undefined) return confirmLogout(server, request);
  const owner = [...server.clients.values()].find(client => allowsPostLogoutRedirectUri(client, uri));
  const changed = owner === undefined ? { post_logout_redirect_uri: undefined } : { client_id: owner.client_id };
  return confirmLogout(server, { ...request, parameters: withValues(parameters, changed) });
}
