import { defined } from '../../defined.ts';
import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import { announce, type BackchannelAuthentication } from '../decoupled/backchannel-authentication.ts';
import { putPending } from '../decoupled/pending-authorization.ts';
import { invalidRequest, unauthorizedClient } from '../errors.ts';
import { parameter, type RequestParameters, rejectUnreadable, unknownParameters } from '../parameters.ts';
import { checkResources, requestedDetails } from '../requests/requested-access.ts';
import { parseBackchannelRequest } from './backchannel-request.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

const grant_type = 'urn:openid:params:grant-type:ciba';
const known = new Set([
  ...['client_id', 'client_secret', 'client_assertion', 'client_assertion_type', 'scope', 'resource'],
  ...['login_hint', 'id_token_hint', 'binding_message', 'acr_values', 'requested_expiry', 'client_notification_token'],
  'authorization_details',
]);

/** The backchannel authentication endpoint (OIDC CIBA §7): the client names the user, who is asked on a page of ours. */
export async function backchannelAuthentication(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client, method } = await authenticateClient(server, request);
  requireGrant(client, grant_type);
  if (method === 'none') throw mustAuthenticate();
  const parameters = await requestParameters(server, client, request);
  const asked = await readRequest(server, client, parameters);
  const auth_req_id = server.random.secret();
  await putPending(server, auth_req_id, asked);
  await announce(server, auth_req_id, asked);
  const { id: authorizationId, client_id, sub, exp, interval, binding_message } = asked;
  request.emit({
    type: 'ciba.requested',
    ...{ authorizationId, client_id, sub, exp },
    scope: asked.scopes.join(' '),
    delivery: client.backchannel_token_delivery_mode ?? 'poll',
    approvals_uri: endpointUrl(server, 'approvals'),
    ...defined({ binding_message }),
    ignored: unknownParameters(parameters, known),
  });
  return { kind: 'json', status: 200, body: { auth_req_id, expires_in: exp - server.clock(), interval } };
}

/** OIDC CIBA §4: for confidential clients only, because the answer goes to whoever asks. */
function mustAuthenticate() {
  const description = 'this client has to authenticate: a public client could ask in the name of anybody';
  const details = { sent: 'none', expected: 'a client that authenticates' };
  return unauthorizedClient('client_must_be_confidential', description, details);
}

/** As they were sent, or from inside a signed request (§7.1.1). */
async function requestParameters(
  server: AuthorizationServer,
  client: RegisteredClient,
  { parameters, emit }: EndpointRequest,
): Promise<RequestParameters> {
  const jwt = parameter(parameters, 'request');
  if (jwt === undefined && client.backchannel_authentication_request_signing_alg === undefined) return parameters;
  if (jwt !== undefined && !server.features.has('jar')) throw notOffered();
  const { demandSigned, readSignedRequest } = await import('../decoupled/backchannel-request-object.ts');
  if (jwt === undefined) {
    demandSigned(client);
    return parameters;
  }
  const own = await readSignedRequest({ server, client, emit }, parameters, jwt);
  rejectUnreadable(own); // what is signed is no less to be read
  return own;
}

function notOffered() {
  const details = { sent: 'request', expected: 'plain parameters' };
  return invalidRequest('parameter_unsupported', 'signed requests are switched off here', details);
}

async function readRequest(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: RequestParameters,
): Promise<BackchannelAuthentication> {
  const { user, lifetime, ...asked } = await parseBackchannelRequest(server, client, parameters);
  return {
    id: server.random.id(),
    kind: 'auth_req_id',
    grant_type,
    client_id: client.client_id,
    sub: user.sub,
    ...asked,
    resources: checkResources(parameters.resources),
    ...defined({ authorization_details: await requestedDetails({ server, client, parameters }) }),
    exp: server.clock() + lifetime,
    interval: server.pollInterval,
  };
}
