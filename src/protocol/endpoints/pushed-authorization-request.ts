import { type AuthorizationServer, addressesOf } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient } from '../clients/client-authentication.ts';
import { invalidRequest } from '../errors.ts';
import {
  clientParameters,
  parameter,
  type RequestParameters,
  requiredParameter,
  shorten,
  unknownParameters,
} from '../parameters.ts';
import { nonceHeader, verifyProof } from '../proofs/dpop.ts';
import {
  type AuthorizationRequest,
  authorizationParameters,
  parseAuthorizationRequest,
} from '../requests/authorization-request.ts';
import { putPushedRequest } from '../requests/pushed-request.ts';
import { demandSigned, readRequestObject } from '../requests/request-object.ts';
import { trustedRedirectUri } from '../requests/trusted-target.ts';
import { formatScope } from '../scope.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** The pushed authorization request endpoint (RFC 9126 §2): the checks of the authorization endpoint, before any browser. */
export async function pushedAuthorizationRequest(
  server: AuthorizationServer,
  request: EndpointRequest,
): Promise<Reply> {
  const { parameters, emit } = request;
  const { client } = await authenticateClient(server, request);
  rejectRequestUri(parameters);
  const { own, isSigned } = await ownParameters(server, client, request);
  if (server.profile === 'fapi2') requiredParameter(own, 'redirect_uri'); // FAPI 2.0 §5.3.2.2
  const redirect_uri = trustedRedirectUri(server, client, own);
  const asked = await parseAuthorizationRequest(server, client, redirect_uri, own);
  const dpop_jkt = await boundKey(server, request, asked);
  const query = queryOf(server, asked, own, dpop_jkt);
  const request_uri = await putPushedRequest(server, { client_id: client.client_id, query, isSigned });
  const known = new Set([...authorizationParameters(server), ...clientParameters]);
  const ignored = unknownParameters(own, known);
  const pushed = { client_id: client.client_id, redirect_uri, request_uri, isSigned, ignored };
  emit({ type: 'authorization.pushed', ...pushed, scope: formatScope(asked.scopes) });
  const body = { request_uri, expires_in: server.lifetimes.pushedRequest };
  const headers = request.dpop === undefined ? {} : nonceHeader(server);
  return { kind: 'json', status: 201, body, headers };
}

/** RFC 9126 §2.1. */
function rejectRequestUri(parameters: RequestParameters): void {
  const sent = parameter(parameters, 'request_uri');
  if (sent === undefined) return;
  const description = 'request_uri must not be pushed: this endpoint issues it';
  throw invalidRequest('request_object_nested', description, { sent: shorten(sent), expected: 'the request itself' });
}

/** Only the parameters of the request object if there is one (RFC 9126 §3). */
async function ownParameters(
  server: AuthorizationServer,
  client: RegisteredClient,
  { parameters, emit }: EndpointRequest,
): Promise<{ own: RequestParameters; isSigned: boolean }> {
  const object = server.features.has('jar') ? parameter(parameters, 'request') : undefined;
  if (object === undefined) {
    demandSigned(server, client);
    return { own: parameters, isSigned: false };
  }
  const own = await readRequestObject({ server, client, emit, sentAs: 'pushed' }, object);
  return { own, isSigned: true };
}

/** Binds the code to the key of a DPoP proof. A `dpop_jkt` next to the proof must name the same key (RFC 9449 §10.1). */
async function boundKey(
  server: AuthorizationServer,
  { dpop }: EndpointRequest,
  { dpop_jkt }: AuthorizationRequest,
): Promise<string | undefined> {
  if (dpop === undefined || !server.features.has('dpop')) return dpop_jkt;
  const shown = await verifyProof(server, dpop, {
    method: 'POST',
    urls: addressesOf(server, server.paths.pushedAuthorizationRequest),
  });
  if (dpop_jkt === undefined || shown === dpop_jkt) return shown;
  throw invalidRequest('dpop_key_mismatch', 'dpop_jkt is not the key of the DPoP proof (RFC 9449 §10.1)', {
    sent: dpop_jkt,
    expected: shown,
  });
}

function queryOf(
  server: AuthorizationServer,
  { client_id, redirect_uri }: AuthorizationRequest,
  { values, resources }: RequestParameters,
  dpop_jkt: string | undefined,
): string {
  const query = new URLSearchParams();
  const known = authorizationParameters(server);
  for (const [name, value] of values) {
    if (known.has(name) && name !== 'resource') query.set(name, value);
  }
  for (const resource of resources) query.append('resource', resource);
  query.set('client_id', client_id);
  query.set('redirect_uri', redirect_uri);
  if (dpop_jkt !== undefined) query.set('dpop_jkt', dpop_jkt);
  return query.toString();
}
