import { isRecord } from '../../../base/text/record.ts';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import type { OAuthError } from '../../../protocol/errors.ts';
import { findAuthorization } from '../../../protocol/kept-authorizations.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { ErrorForm } from '../../../server/http/error-replies.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import {
  bearerClaims,
  entryUnknown,
  type ManagementCall,
  type ManagementCaller,
  requireBearer,
} from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { clientPartCalls } from './client-parts.ts';
import { clientCalls } from './clients.ts';
import { groupCalls } from './groups.ts';
import { mapperCalls } from './mappers.ts';
import { masterCalls } from './master.ts';
import { isFrom, requireMasterToken } from './master-token.ts';
import { partialImportCall } from './partial-import.ts';
import { createStableIds, createState, masterOf, type Realm } from './realm.ts';
import { realmCalls, realmListCall, serverInfoCall } from './realms.ts';
import { roleCalls } from './role-calls.ts';
import { scopeCalls } from './scopes.ts';
import { userActionCalls } from './user-actions.ts';
import { userCalls } from './users.ts';

const callsOfRealm: readonly ManagementCall<Realm>[] = [
  ...realmCalls,
  partialImportCall,
  ...userCalls,
  ...userActionCalls,
  ...roleCalls,
  ...groupCalls,
  ...clientCalls,
  ...clientPartCalls,
  ...mapperCalls,
  ...scopeCalls,
];

/** Every call of the admin API and of the realm `master`. */
export const adminCalls: readonly ManagementCall<Realm>[] = [
  ...masterCalls,
  realmListCall,
  serverInfoCall,
  ...callsOfRealm.map(ofRealm),
];

/** The admin REST API of Keycloak 26 for one realm. */
export function createAdminApi(issuer: ManagedIssuer): Handler {
  const realm = realmOf(issuer);
  return createManagement({
    title: 'Keycloak',
    issuer,
    calls: adminCalls,
    place: realm,
    form: adminErrors,
    requireNames(names) {
      // RealmsAdminResource.java
      if ((names.realm ?? realm.name) !== realm.name) throw entryUnknown('Realm not found.', names.realm);
    },
    authenticate: request => authenticate(realm, request),
  });
}

function realmOf(issuer: ManagedIssuer): Realm {
  const { server, events, address } = issuer;
  const name = server.dialect?.options.realm ?? '';
  const state = createState(events, server.wallClock() * 1000);
  return {
    ...issuer,
    name,
    state,
    ids: createStableIds(server.issuer, state.ids),
    at: `${address}/admin/realms/${name}`,
  };
}

function ofRealm(row: ManagementCall<Realm>): ManagementCall<Realm> {
  return { ...row, path: `/admin/realms/{realm}${row.path}` };
}

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

/** Errors of the admin API, as KeycloakErrorHandler.java and ErrorResponse.java write them. */
const adminErrors: ErrorForm = {
  name: 'json',
  answer: async error => jsonAnswer(error.status, bodyOf(error), headersOf(error)),
};

function headersOf({ status, details: { headers } }: OAuthError): Readonly<Record<string, string>> {
  return status === 401 ? { 'WWW-Authenticate': 'Bearer', ...headers } : { ...headers };
}

/** Names of statuses in the messages of Jakarta REST. */
const statuses: Readonly<Record<number, string>> = {
  401: 'HTTP 401 Unauthorized',
  403: 'HTTP 403 Forbidden',
  413: 'HTTP 413 Request Entity Too Large',
  415: 'HTTP 415 Unsupported Media Type',
  501: 'HTTP 501 Not Implemented',
};

/** Codes of the token endpoint of the realm `master`. */
const tokenCodes = ['invalid_grant', 'invalid_client', 'unsupported_grant_type', 'temporarily_unavailable'];

function bodyOf({ code, reason, status, description, details: { expected } }: OAuthError): object {
  if (reason === 'management_entry_unknown') return { error: description };
  if (reason === 'management_entry_taken' || reason === 'management_input_invalid')
    return { errorMessage: description };
  if (reason === 'body_malformed')
    return { error: 'invalid_request', error_description: `Cannot parse the JSON: ${description}` };
  if (reason === 'management_right_missing') return { error: statuses[403] };
  if (tokenCodes.includes(code)) return { error: code, error_description: description };
  if (status === 401) return { error: statuses[401] };
  const nearest = reason === 'not_offered' && expected !== undefined ? `; the nearest call is ${expected}` : '';
  return { error: statuses[status] ?? code, error_description: description + nearest };
}
