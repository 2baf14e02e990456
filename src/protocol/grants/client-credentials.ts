import type { GrantHandler } from '../authorization-server.ts';
import { parameter } from '../parameters.ts';
import { checkResources, requestedDetails, requestedScopes } from '../requests/requested-access.ts';

/** RFC 6749 §4.4: a client acts for itself. It gets no refresh token, and without `scope` no scopes. */
export const clientCredentials: GrantHandler = {
  grantType: 'client_credentials',
  parameters: ['scope', 'resource', 'authorization_details'],
  async redeem({ server, client, parameters }) {
    const scopes = requestedScopes(server, client, parameter(parameters, 'scope'));
    const resources = checkResources(server, parameters.resources);
    const authorization_details = await requestedDetails({ server, client, parameters });
    const authorization = {
      id: server.random.id(),
      client_id: client.client_id,
      grant_type: 'client_credentials',
      scopes,
      resources,
      authorization_details,
    };
    return { authorization, scopes, resources };
  },
};
