import type { IncomingMessage } from 'node:http';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import { bearerClaims, type ManagementCall, type ManagementCaller, requireBearer } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { apiErrors } from '../api-errors.ts';
import { appCalls } from './apps.ts';
import { claimCalls } from './claims.ts';
import { groupCalls } from './groups.ts';
import { createState, type Org } from './org.ts';
import { serverCalls } from './servers.ts';
import { lifecycleCalls, userCalls } from './users.ts';

/** Every call of the management API, below `/api/v1`. */
export const adminCalls: readonly ManagementCall<Org>[] = [
  ...userCalls,
  ...lifecycleCalls,
  ...groupCalls,
  ...appCalls,
  ...serverCalls,
  ...claimCalls,
].map(row => ({ ...row, path: `/api/v1${row.path}` }));

/** The management API of Okta for the org of one issuer. */
export function createAdminApi(issuer: ManagedIssuer): Handler {
  const { server, events, address } = issuer;
  const org = { ...issuer, state: createState(events, server.clock()), at: `${address}/api/v1` };
  return createManagement({
    title: 'Okta',
    issuer,
    calls: adminCalls,
    place: org,
    form: apiErrors,
    authenticate: (request, req) => authenticate(org, request, req),
  });
}

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
