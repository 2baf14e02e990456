import { isRecord } from '../../../base/text/record.ts';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { findAuthorization } from '../../../protocol/kept-authorizations.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import { bearerClaims, requireBearer } from '../../management/bearer.ts';
import type { ManagementCaller } from '../../management/call.ts';
import { isFrom, requireMasterToken } from './master-token.ts';
import { masterOf, type Realm } from './realm.ts';

/**
 * The caller of the admin API: the admin of the realm `master`, a user of the realm, or a service account.
 * @throws invalid_token
 */
export async function authenticate(realm: Realm, request: EndpointRequest): Promise<ManagementCaller> {
  const token = requireBearer(request);
  const master = masterOf(realm);
  if (!isFrom(master, token)) return callerOfRealm(realm, token, request);
  requireMasterToken({ issuer: master, secret: realm.secret }, token, 'Bearer', realm.server.wallClock());
  return { name: 'admin', has: () => true };
}

async function callerOfRealm(realm: Realm, token: string, request: EndpointRequest): Promise<ManagementCaller> {
  const { server } = realm;
  const { sub: shown = '', jti = '', client_id } = await bearerClaims(server, token, request);
  const { sub = shown } = (await findAuthorization(server, parseTokenIdentifier(jti).authorizationId)) ?? {};
  return sub === client_id ? serviceAccount(realm, sub) : userOf(realm, sub);
}

/**
 * The roles that a user has now. Everybody who reaches a sandbox can log in as any of its users. Where a `CONTROL_TOKEN`
 * closes the control API, no user may therefore change anything.
 */
function userOf({ server, requireControlToken }: Realm, sub: string): ManagementCaller {
  const user = server.users.get(sub);
  const isClosed = requireControlToken !== undefined;
  const name = `the user ${user?.username ?? sub}${isClosed ? ', as every user while CONTROL_TOKEN is set,' : ''}`;
  return callerWith(name, isClosed ? undefined : user?.claims.client_roles);
}

/** The roles that a client has now. Only clients of the configuration count: a client that registers itself has no owner. */
function serviceAccount({ server }: Realm, client_id: string): ManagementCaller {
  const client = server.clients.get(client_id);
  const isOwned = client?.origin === 'configuration' && !isPublic(client);
  const access = isOwned ? client.access_token_claims.resource_access : undefined;
  const ofClient = isRecord(access) ? access['realm-management'] : undefined;
  const roles = isRecord(ofClient) ? ofClient.roles : undefined;
  return callerWith(`the service account of ${client_id}`, { 'realm-management': roles });
}

function callerWith(name: string, clientRoles: unknown): ManagementCaller {
  const roles: unknown = isRecord(clientRoles) ? clientRoles['realm-management'] : undefined;
  const names = new Set(Array.isArray(roles) ? roles : []);
  return { name, has: right => names.has('realm-admin') || names.has(right) };
}
