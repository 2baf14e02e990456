import { isPublic } from '../../../protocol/clients/client.ts';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { invalidToken, type OAuthError } from '../../../protocol/errors.ts';
import { withoutToken } from '../../../protocol/proofs/bearer-token.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { ErrorForm } from '../../../server/http/error-replies.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import { bearerClaims, type ManagementCall, type ManagementCaller, requireBearer } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { doneWithLimits, limitHeaders } from './answers.ts';
import { apiCalls } from './apis.ts';
import { clientCalls } from './clients.ts';
import { organizationCalls } from './organizations.ts';
import { otherCalls } from './others.ts';
import { roleCalls } from './roles.ts';
import { createTenant, type Tenant } from './tenant.ts';
import { userCalls } from './users.ts';

/** Every call of the Management API that the sandbox serves. */
export const managementCalls: readonly ManagementCall<Tenant>[] = [
  ...userCalls,
  ...roleCalls,
  ...organizationCalls,
  ...clientCalls,
  ...apiCalls,
  ...otherCalls,
].map(row => ({ ...row, path: `/api/v2${row.path}` }));

/** The Management API of Auth0 for one tenant. */
export function createManagementApi(issuer: ManagedIssuer): Handler {
  const tenant = createTenant(issuer);
  return createManagement({
    title: 'Auth0',
    issuer,
    calls: managementCalls,
    place: tenant,
    form: apiErrors,
    done: doneWithLimits(),
    authenticate: request => authenticate(tenant, request),
  });
}

/**
 * The client behind an access token for the Management API. Tokens of users are refused, because everybody who reaches a
 * sandbox can log in as any of them, and so are clients that registered themselves.
 * @throws invalid_token
 */
export async function authenticate({ server }: Tenant, request: EndpointRequest): Promise<ManagementCaller> {
  const claims = await bearerClaims(server, requireBearer(request), request);
  const audience = `${server.issuer}/api/v2/`;
  if (![claims.aud].flat().includes(audience))
    throw invalidToken('access_token_for_another_resource', 'Bad audience', {
      sent: String(claims.aud),
      expected: audience,
    });
  const { sub, client_id } = claims;
  const client = server.clients.get(String(client_id));
  if (sub !== client_id || client === undefined || client.origin !== 'configuration' || isPublic(client))
    throw invalidToken('access_token_unreadable', 'only a client of the configuration may call the Management API');
  const scopes = new Set(scopesIn(claims.scope));
  return { name: client.client_id, has: right => scopes.has(right) };
}

/** Errors of the Management API: `statusCode`, `error`, `message` and `errorCode`. */
export const apiErrors: ErrorForm = {
  name: 'json',
  answer: async error =>
    jsonAnswer(error.status, bodyOf(error), { ...limitHeaders, ...challenge(error), ...error.details.headers }),
};

const names: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  501: 'Not Implemented',
};

function bodyOf({ reason, status, description, details }: OAuthError): object {
  const error = names[status] ?? 'Internal Server Error';
  return {
    statusCode: status,
    error,
    message: messageOf(reason, description, details.expected),
    errorCode: codeOf(reason, description),
  };
}

function messageOf(reason: string, description: string, expected: string | undefined): string {
  if (reason === 'management_right_missing')
    return `Insufficient scope, expected any of: ${expected?.replaceAll(' or ', ',')}`;
  if (withoutToken.has(reason)) return 'Missing authentication';
  if (reason === 'not_offered' && expected !== undefined) return `${description}; the nearest call is ${expected}`;
  return description;
}

const codes: Readonly<Record<string, string>> = {
  management_right_missing: 'insufficient_scope',
  management_input_invalid: 'invalid_body',
  body_malformed: 'invalid_body',
  access_token_missing: 'missing_token',
  access_token_scheme_wrong: 'missing_token',
  not_offered: 'not_implemented',
};

function codeOf(reason: string, description: string): string {
  if (reason === 'management_entry_unknown') return description.includes('user') ? 'inexistent_user' : 'not_found';
  if (reason === 'management_entry_taken') return description.includes('user') ? 'auth0_idp_error' : 'conflict';
  return codes[reason] ?? (reason.startsWith('access_token') ? 'invalid_token' : reason);
}

function challenge({ status }: OAuthError): Readonly<Record<string, string>> {
  return status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {};
}
