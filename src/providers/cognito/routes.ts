import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { confirmLogout, endSession } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { lenientParameter, parseParameters } from '../../protocol/parameters.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { ownRoute } from '../own-route.ts';

/** The logout of the hosted UI, which has parameters of its own. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Cognito');
  return [
    own('end_session GET POST', base + paths.endSession, 'logout, also with `logout_uri`', logout, { form: asPage }),
  ];
}

/**
 * With `logout_uri` the browser goes there, and with `redirect_uri` to the login page. Neither asks the user, as at
 * Cognito. Other requests are those of OpenID Connect.
 */
async function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters } = request;
  const client_id = lenientParameter(parameters, 'client_id');
  const logout_uri = lenientParameter(parameters, 'logout_uri');
  if (client_id === undefined) return endSession(server, request);
  if (logout_uri !== undefined)
    return confirmLogout(server, asking(request, { client_id, post_logout_redirect_uri: logout_uri }));
  if (!parameters.values.has('redirect_uri')) return endSession(server, request);
  await knownClient(server, client_id);
  await confirmLogout(server, asking(request, { client_id }));
  const query = new URLSearchParams([...parameters.values]);
  return { kind: 'redirect', location: `${server.issuer}${server.paths.authorize}?${query}`, loggedOut: true };
}

/** The request with other parameters. */
function asking(request: EndpointRequest, parameters: Readonly<Record<string, string>>): EndpointRequest {
  return { ...request, parameters: parseParameters(String(new URLSearchParams(parameters))) };
}
