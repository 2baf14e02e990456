import type { IncomingMessage } from 'node:http';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import { bearerClaims, requireBearer } from '../../management/bearer.ts';
import type { ManagementCaller } from '../../management/call.ts';
import type { Org } from './org.ts';

/**
 * The caller of the API: an API token (`SSWS`), or an access token with scopes such as `okta.users.manage`. Any API token is
 * accepted, unless a `CONTROL_TOKEN` closes the control API: then only that one.
 * @throws invalid_token
 */
export async function authenticate(
  org: Org,
  request: EndpointRequest,
  req: IncomingMessage,
): Promise<ManagementCaller> {
  const apiToken = /^SSWS +(\S+)$/i.exec(request.authorization?.trim() ?? '')?.[1];
  if (apiToken !== undefined) {
    org.requireControlToken?.(req, apiToken);
    return { name: 'an API token', has: () => true };
  }
  const expected = 'Authorization: SSWS <API token>, or Bearer <access token>';
  const token = requireBearer(request, { expected });
  return callerByScopes(org, token, request);
}

/**
 * Everybody who reaches a sandbox can log in as any of its users. Where a `CONTROL_TOKEN` closes the control API, a token of
 * a user has no rights, therefore. Only clients of the configuration count: a client that registers itself has no owner.
 */
async function callerByScopes(org: Org, token: string, request: EndpointRequest): Promise<ManagementCaller> {
  const { server, requireControlToken } = org;
  const claims = await bearerClaims(server, token, request);
  const client_id = String(claims.client_id);
  const client = server.clients.get(client_id);
  const isMachine = claims.sub === client_id;
  const isOwned = client?.origin === 'configuration' && (!isMachine || !isPublic(client));
  const isAllowed = isOwned && (isMachine || requireControlToken === undefined);
  const scopes = new Set(isAllowed ? scopesIn(claims.scope) : []);
  return {
    name: `the access token of ${client_id}`,
    has: right => scopes.has(right) || scopes.has(right.replace(/\.read$/, '.manage')),
  };
}
