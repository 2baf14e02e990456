import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import { announce, type BackchannelAuthentication } from '../decoupled/backchannel-authentication.ts';
import { demandSigned, readSignedRequest } from '../decoupled/backchannel-request-object.ts';
import { putPending } from '../decoupled/pending-authorization.ts';
import { invalidRequest, invalidScope, OAuthError, unauthorizedClient } from '../errors.ts';
import {
  clientParameters,
  parameter,
  type RequestParameters,
  rejectUnreadable,
  requiredParameter,
  shorten,
  unknownParameters,
} from '../parameters.ts';
import { checkResources, requestedDetails, requestedScopes } from '../requests/requested-access.ts';
import { readHint } from '../tokens/hint.ts';
import { findUser } from '../users/login-need.ts';
import type { TestUser } from '../users/user.ts';
import { subjectFor } from '../users/user-claims.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

const grant_type = 'urn:openid:params:grant-type:ciba';
const known = new Set([
  ...clientParameters,
  'scope',
  'resource',
  'login_hint',
  'id_token_hint',
  'binding_message',
  'acr_values',
  'requested_expiry',
  'client_notification_token',
  'authorization_details',
]);

/** The backchannel authentication endpoint (OIDC CIBA §7). The user decides on a page of the sandbox. */
export async function backchannelAuthentication(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client, method } = await authenticateClient(server, request);
  requireGrant(client, grant_type);
  // OIDC CIBA §4: otherwise anybody could collect the tokens
  if (method === 'none') {
    const description =
      'this endpoint requires client authentication: otherwise anyone could send requests as this client';
    const details = { sent: 'none', expected: 'a client that authenticates' };
    throw unauthorizedClient('client_must_be_confidential', description, details);
  }
  const parameters = await requestParameters(server, client, request);
  const asked = await readRequest(server, client, parameters);
  const auth_req_id = server.random.secret();
  await putPending(server, auth_req_id, asked);
  await announce(server, auth_req_id, asked);
  const { id: authorizationId, client_id, sub, exp, interval, binding_message } = asked;
  request.emit({
    type: 'ciba.requested',
    authorizationId,
    client_id,
    sub,
    exp,
    scope: asked.scopes.join(' '),
    delivery: client.backchannel_token_delivery_mode ?? 'poll',
    approvals_uri: endpointUrl(server, 'approvals'),
    binding_message,
    ignored: unknownParameters(parameters, known),
  });
  return { kind: 'json', status: 200, body: { auth_req_id, expires_in: exp - server.clock(), interval } };
}

async function requestParameters(
  server: AuthorizationServer,
  client: RegisteredClient,
  { parameters, emit }: EndpointRequest,
): Promise<RequestParameters> {
  const jwt = parameter(parameters, 'request');
  if (jwt === undefined && client.backchannel_authentication_request_signing_alg === undefined) return parameters;
  if (jwt !== undefined && !server.features.has('jar')) {
    const details = { sent: 'request', expected: 'plain parameters' };
    throw invalidRequest('parameter_unsupported', 'signed requests are switched off', details);
  }
  if (jwt === undefined) {
    demandSigned(client);
    return parameters;
  }
  const own = await readSignedRequest({ server, client, emit }, parameters, jwt);
  rejectUnreadable(own); // a signature does not make the parameters readable
  return own;
}

/**
 * The checked request (OIDC CIBA §7.1, §7.2).
 * @throws invalid_request, invalid_scope, unknown_user_id, invalid_binding_message
 */
async function readRequest(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: RequestParameters,
): Promise<BackchannelAuthentication> {
  refuseUnsupported(parameters);
  const scopes = openidScopes(server, client, requiredParameter(parameters, 'scope'));
  const client_notification_token = notificationToken(client, parameters);
  const binding_message = bindingMessage(parameters);
  const lifetime = requestedLifetime(server, parameters);
  const acrValues = parameter(parameters, 'acr_values')?.split(' ') ?? [];
  const { sub } = await hintedUser(server, client, parameters);
  return {
    id: server.random.id(),
    kind: 'auth_req_id',
    grant_type,
    client_id: client.client_id,
    sub,
    scopes,
    acr_values: acrValues.filter(value => value !== ''),
    binding_message,
    client_notification_token,
    resources: checkResources(server, parameters.resources),
    authorization_details: await requestedDetails({ server, client, parameters }),
    exp: server.clock() + lifetime,
    interval: server.pollInterval,
  };
}

/** `login_hint_token` has no standard format (§7.1), so it is not offered; `user_code` is not in the metadata. */
function refuseUnsupported(parameters: RequestParameters): void {
  for (const name of ['login_hint_token', 'user_code']) {
    if (parameter(parameters, name) === undefined) continue;
    throw invalidRequest('parameter_unsupported', `${name} is not supported`, {
      sent: name,
      expected: name === 'login_hint_token' ? 'login_hint or id_token_hint' : 'a request without it',
    });
  }
}

function openidScopes(server: AuthorizationServer, client: RegisteredClient, scope: string): readonly string[] {
  const scopes = requestedScopes(server, client, scope);
  if (scopes.includes('openid')) return scopes;
  const details = { sent: shorten(scope), expected: `openid ${shorten(scope)}` };
  throw invalidScope('scope_missing_openid', 'scope must include openid', details);
}

/** RFC 6750 §2.1, because the server sends it back as a bearer token; at most 1024 characters. */
const bearerToken = /^[A-Za-z0-9\-._~+/]{1,1023}=*$/;

function notificationToken(client: RegisteredClient, parameters: RequestParameters): string | undefined {
  if (client.backchannel_token_delivery_mode !== 'ping') return undefined;
  const token = requiredParameter(parameters, 'client_notification_token');
  if (bearerToken.test(token) && token.length <= 1024) return token;
  throw invalidRequest('parameter_malformed', 'client_notification_token must be a bearer token', {
    sent: `${token.length} characters`,
    expected: 'at most 1024 characters of A-Z a-z 0-9 - . _ ~ + /',
  });
}

/** Short enough for two small screens, with visible characters only. */
const visibleText = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u;

function bindingMessage(parameters: RequestParameters): string | undefined {
  const message = parameter(parameters, 'binding_message');
  if (message === undefined || visibleText.test(message)) return message;
  const description = 'binding_message must be short and visible: 1 to 100 letters, digits, punctuation and spaces';
  throw new OAuthError('invalid_binding_message', 'binding_message_invalid', description, {
    sent: `${[...message].length} characters`,
    expected: 'a few letters and digits, such as W4SCT',
  });
}

/** Longest time a request may wait, in seconds. */
const longestLifetime = 3600;

function requestedLifetime({ lifetimes }: AuthorizationServer, parameters: RequestParameters): number {
  const asked = parameter(parameters, 'requested_expiry');
  if (asked === undefined) return lifetimes.deviceCode;
  if (/^[1-9]\d{0,8}$/.test(asked)) return Math.min(Number(asked), longestLifetime);
  throw invalidRequest('parameter_malformed', 'requested_expiry must be a positive whole number of seconds', {
    sent: shorten(asked),
    expected: `1 to ${longestLifetime}; a larger number counts as ${longestLifetime}`,
  });
}

async function hintedUser(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: RequestParameters,
): Promise<TestUser> {
  const login = parameter(parameters, 'login_hint');
  const idToken = parameter(parameters, 'id_token_hint');
  if ((login === undefined) === (idToken === undefined)) {
    throw invalidRequest('hint_count_wrong', 'exactly one hint must say who the user is', {
      sent: login === undefined ? 'none' : 'login_hint and id_token_hint',
      expected: 'login_hint or id_token_hint',
    });
  }
  const user = idToken === undefined ? findUser(server, login ?? '') : await userOfIdToken(server, client, idToken);
  if (user !== undefined) return user;
  const description = 'no user of this server matches the hint';
  throw new OAuthError('unknown_user_id', 'user_unknown', description, {
    ...(login === undefined ? {} : { sent: shorten(login) }),
    expected: 'a sub, username or e-mail address of a demo user',
  });
}

/** The user of an ID token that this client received, expired or not. Its `sub` may be pairwise (OIDC Core §8.1). */
async function userOfIdToken(
  server: AuthorizationServer,
  client: RegisteredClient,
  idToken: string,
): Promise<TestUser | undefined> {
  const { sub, client_id } = await readHint(server, idToken);
  if (client_id === client.client_id) {
    return [...server.users.values()].find(user => subjectFor(server, client, user.sub) === sub);
  }
  const description = 'id_token_hint was issued to another client';
  throw invalidRequest('hint_invalid', description, { sent: shorten(client_id), expected: client.client_id });
}
