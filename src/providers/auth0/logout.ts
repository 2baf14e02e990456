import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { allowsPostLogoutRedirectUri } from '../../protocol/clients/client.ts';
import { confirmLogout } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { lenientParameter, type RequestParameters } from '../../protocol/parameters.ts';

/**
 * Ends the session of the browser without a question, as `/v2/logout` does, and goes to `returnTo`. The other parameters of
 * the provider (`federated`) change nothing here.
 */
export function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return confirmLogout(server, { ...request, parameters: completed(server, request.parameters) });
}

/**
 * Without `client_id`, `returnTo` may be an address of any client. Without `returnTo`, it is the first address of the client.
 */
function completed({ clients }: AuthorizationServer, sent: RequestParameters): RequestParameters {
  const client_id = lenientParameter(sent, 'client_id');
  const returnTo = lenientParameter(sent, 'post_logout_redirect_uri');
  const values = new Map(sent.values);
  const [first] = clients.get(client_id ?? '')?.post_logout_redirect_uris ?? [];
  if (returnTo === undefined && first !== undefined) values.set('post_logout_redirect_uri', first);
  const found = [...clients.values()].find(each => allowsPostLogoutRedirectUri(each, returnTo ?? ''));
  if (client_id === undefined && found !== undefined) values.set('client_id', found.client_id);
  return { ...sent, values };
}
