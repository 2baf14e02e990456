import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { ourScopes } from '../../protocol/dialects/wire.ts';
import { authorizeDevice } from '../../protocol/endpoints/device-authorization.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { token, tokensFor } from '../../protocol/endpoints/token.ts';
import { invalidGrant } from '../../protocol/errors.ts';
import type { CodeRecord } from '../../protocol/kept-authorizations.ts';
import { rejectUnreadable, requiredParameter } from '../../protocol/parameters.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import { encoded } from './encoding.ts';
import { scopes } from './scopes.ts';

const device = 'urn:ietf:params:oauth:grant-type:device_code';

/** The token endpoint. A device polls without a secret, and a request with a code needs no `grant_type`. */
export async function githubToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const asked = await completed(server, request);
  const { values } = asked.parameters;
  const isDevice = values.get('grant_type') === device && !values.has('client_secret');
  const reply = await (isDevice && request.authorization === undefined ? poll(server, asked) : token(server, asked));
  return encoded(reply, request);
}

async function poll(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  const client_id = requiredParameter(request.parameters, 'client_id');
  return tokensFor(server, request, await knownClient(server, client_id, request.emit));
}

/** The request with what GitHub knows without being told: the grant of a code, and its redirect URI. */
async function completed(server: AuthorizationServer, request: EndpointRequest): Promise<EndpointRequest> {
  const values = new Map(request.parameters.values);
  const code = values.get('code');
  if (code === undefined && values.has('grant_type')) return request;
  if (!values.get('grant_type')) values.set('grant_type', 'authorization_code');
  const issued = code === undefined ? undefined : await server.store.get<CodeRecord>(['issued_code', code]);
  if (issued !== undefined) requireVerified(server, issued);
  if (issued !== undefined && !values.get('redirect_uri')) values.set('redirect_uri', issued.redirect_uri);
  return { ...request, parameters: { ...request.parameters, values } };
}

/** A user whose e-mail address is not verified cannot sign in to applications. */
function requireVerified(server: AuthorizationServer, { authorization: { sub = '' } }: CodeRecord): void {
  if (server.users.get(sub)?.claims.email_verified !== false) return;
  throw invalidGrant('user_unverified', 'the e-mail address of the user is not verified', {
    sent: 'email_verified: false',
    expected: 'a user with email_verified: true',
  });
}

/** Device authorization. A device sends its `client_id` alone. */
export async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters } = request;
  rejectUnreadable(parameters);
  const client = await knownClient(server, requiredParameter(parameters, 'client_id'), request.emit);
  const scope = ourScopes(server, scopes, parameters.values.get('scope')) ?? '';
  const values = new Map([...parameters.values, ['scope', scope]]);
  const reply = await authorizeDevice(server, { ...request, parameters: { ...parameters, values } }, client);
  if (reply.kind !== 'json' || !('verification_uri_complete' in reply.body)) return reply;
  const { verification_uri_complete: _, ...body } = reply.body;
  // this path leads to the page of the sandbox
  return encoded({ ...reply, body: { ...body, verification_uri: `${server.issuer}/login/device` } }, request);
}
