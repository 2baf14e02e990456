import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { findClient } from '../../oauth/clients/find-client.ts';
import { deviceAuthorization } from '../../oauth/endpoints/device-authorization.ts';
import type { EndpointRequest, Reply } from '../../oauth/endpoints/endpoint.ts';
import { lenientParameter } from '../../oauth/parameters.ts';
import { heard, heardResource } from './scopes.ts';
import { requireTenant } from './tenant.ts';

/** Device authorization, with the sentence that an application shows to its user. */
export async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  const asked = heardResource(request.parameters);
  const client = await findClient(server, lenientParameter(asked, 'client_id') ?? '');
  const parameters = client === undefined ? asked : heard(client, asked);
  const reply = await deviceAuthorization(server, { ...request, parameters });
  if (reply.kind !== 'json') return reply;
  const { verification_uri_complete: _, ...body } = reply.body as Answered; // the answer of the line above
  const { verification_uri, user_code } = body;
  const message = `To sign in, use a web browser to open the page ${verification_uri} and enter the code ${user_code} to authenticate.`;
  return { ...reply, body: { ...body, message } };
}

interface Answered {
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly user_code: string;
}
