import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { forgetGrant, ourScopes } from '../../protocol/dialects/wire.ts';
import { authorizeDevice, deviceAuthorization } from '../../protocol/endpoints/device-authorization.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { endAuthorization } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { invalidToken } from '../../protocol/errors.ts';
import { type RequestParameters, rejectUnreadable, requiredParameter } from '../../protocol/parameters.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import { findToken } from '../../protocol/tokens/find-token.ts';
import { withoutKeptRefreshToken } from '../kept-refresh-token.ts';
import { scopes } from './requests.ts';
import { serviceAccountToken } from './service-account.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The token endpoint. A service account proves itself by its assertion alone. */
export async function googleToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, authorization } = request;
  const { values } = parameters;
  const isAlone = authorization === undefined && !values.has('client_id') && !values.has('client_assertion');
  if (isAlone && values.get('grant_type') === jwtBearer) return serviceAccountToken(server, request);
  const reply = await token(server, { ...request, parameters: inOurScopes(server, parameters) });
  return withoutKeptRefreshToken(reply, request);
}

/** Device authorization. A device sends its `client_id` alone, and the secret only with its polls. */
export async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const asked = { ...request, parameters: inOurScopes(server, request.parameters) };
  const isProved = request.authorization !== undefined || request.parameters.values.has('client_secret');
  const reply = await (isProved ? deviceAuthorization(server, asked) : namedDevice(server, asked));
  if (reply.kind !== 'json' || !('verification_uri' in reply.body)) return reply;
  return { ...reply, body: { ...reply.body, verification_url: reply.body.verification_uri } };
}

async function namedDevice(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  const client_id = requiredParameter(request.parameters, 'client_id');
  return authorizeDevice(server, request, await knownClient(server, client_id, request.emit));
}

function inOurScopes(server: AuthorizationServer, parameters: RequestParameters): RequestParameters {
  const scope = ourScopes(server, scopes, parameters.values.get('scope'));
  return scope === undefined
    ? parameters
    : { ...parameters, values: new Map([...parameters.values, ['scope', scope]]) };
}

/**
 * Ends the grant behind a token. The caller needs the token alone, and no credential. The next login of the user gives a
 * refresh token again.
 */
export async function revokeToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  rejectUnreadable(parameters);
  const token = requiredParameter(parameters, 'token');
  const found = await findToken(server, token);
  if (found?.state !== 'active' && found?.state !== 'replaced') {
    throw invalidToken('access_token_revoked', 'Token expired or revoked', { status: 400 });
  }
  await endAuthorization(server, token, found, emit);
  await forgetGrant(server, [found.client_id, String(found.record?.authorization.sub ?? found.claims.sub)]);
  return { kind: 'json', status: 200, body: {} };
}
