import { defined } from '../../base/defined.ts';
import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import { type PendingAuthorization, pendingLifetime, putPending } from '../decoupled/pending-authorization.ts';
import { randomUserCode } from '../decoupled/user-code.ts';
import { clientParameters, parameter, unknownParameters } from '../parameters.ts';
import { checkResources, requestedDetails, requestedScopes } from '../requests/requested-access.ts';
import { formatScope } from '../scope.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
const known = new Set([...clientParameters, 'scope', 'resource', 'authorization_details']);

/** Device authorization (RFC 8628 §3.1, §3.2). Refuses scopes and resources before a user types the code. */
export async function deviceAuthorization(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  return authorizeDevice(server, request, client);
}

/** The answer to a device of a client that is known to be the one that asks. */
export async function authorizeDevice(
  server: AuthorizationServer,
  request: EndpointRequest,
  client: RegisteredClient,
): Promise<Reply> {
  const { parameters, emit } = request;
  requireGrant(client, grant_type);
  const pending: PendingAuthorization = {
    id: server.random.id(),
    kind: 'device_code',
    grant_type,
    client_id: client.client_id,
    scopes: requestedScopes(server, client, parameter(parameters, 'scope')),
    resources: checkResources(server, parameters.resources),
    ...defined({ authorization_details: await requestedDetails({ server, client, parameters }) }),
    exp: server.clock() + server.lifetimes.deviceCode,
    interval: server.pollInterval,
  };
  const device_code = server.random.secret();
  await putPending(server, device_code, pending);
  const addresses = await putUserCode(server, device_code, pending);
  emit({
    type: 'device.requested',
    authorizationId: pending.id,
    client_id: client.client_id,
    ...defined({ scope: formatScope(pending.scopes) }),
    exp: pending.exp,
    ...addresses,
    ignored: unknownParameters(parameters, known),
  });
  const times = { expires_in: server.lifetimes.deviceCode, interval: pending.interval };
  return { kind: 'json', status: 200, body: { device_code, ...addresses, ...times } };
}

/** Stores a user code that no other device has, and returns the addresses to type it at (§3.3, §3.3.1). */
async function putUserCode(server: AuthorizationServer, device_code: string, pending: PendingAuthorization) {
  let user_code = randomUserCode(server.random);
  while (!(await server.store.add(['user_code', user_code], device_code, pendingLifetime(server, pending)))) {
    user_code = randomUserCode(server.random);
  }
  const verification_uri = endpointUrl(server, 'deviceVerification');
  const verification_uri_complete = `${verification_uri}?${new URLSearchParams({ user_code })}`;
  return { user_code, verification_uri, verification_uri_complete };
}
