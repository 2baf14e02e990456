import { type AuthorizationServer, endpointUrl } from '../../protocol/authorization-server.ts';
import { allowsPostLogoutRedirectUri } from '../../protocol/clients/client.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import { deviceAuthorization } from '../../protocol/endpoints/device-authorization.ts';
import { confirmLogout } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { lenientParameter, rejectUnreadable } from '../../protocol/parameters.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';
import { heard, heardResource, withValues } from './scopes.ts';
import { requireTenant } from './tenant.ts';

/**
 * The authorization endpoint of version 1.0. It names the API by `resource`, and always asks for an identity. The request
 * goes on at the endpoint of version 2.0 with a scope that says the same.
 */
export async function firstAuthorize(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  rejectUnreadable(request.parameters);
  const { values } = heardResource(request.parameters);
  const scope = ['openid profile email offline_access', values.get('scope') ?? ''].join(' ').trim();
  const query = new URLSearchParams([...new Map([...values, ['scope', scope]])]);
  return { kind: 'redirect', location: `${endpointUrl(server, 'authorize')}?${query}` };
}

/**
 * Ends the session without a question. A `post_logout_redirect_uri` needs neither a client nor a hint: it is enough that
 * some client has registered it. With an address that nobody registered, the user stays on the page that says goodbye.
 */
export async function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  const { parameters } = request;
  const named = lenientParameter(parameters, 'client_id') ?? lenientParameter(parameters, 'id_token_hint');
  const uri = lenientParameter(parameters, 'post_logout_redirect_uri');
  if (named !== undefined || uri === undefined) return confirmLogout(server, request);
  const owner = [...server.clients.values()].find(client => allowsPostLogoutRedirectUri(client, uri));
  const changed = owner === undefined ? { post_logout_redirect_uri: undefined } : { client_id: owner.client_id };
  return confirmLogout(server, { ...request, parameters: withValues(parameters, changed) });
}

/** Device authorization, with the sentence that an application shows to its user. */
export async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  await requireTenant(server, request);
  const asked = heardResource(request.parameters);
  const client = await findClient(server, lenientParameter(asked, 'client_id') ?? '');
  const parameters = client === undefined ? asked : heard(client, asked);
  const reply = await deviceAuthorization(server, { ...request, parameters });
  if (reply.kind !== 'json') return reply;
  const { verification_uri_complete: _, ...body } = reply.body as Answered; // the answer of the line above
  const { verification_uri, user_code } = body;
  const message = `To sign in, use a web browser to open the page ${verification_uri} and enter the code ${user_code} to authenticate.`;
  return { ...reply, body: { ...body, message } };
}

interface Answered {
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly user_code: string;
}

/** The keys of the tenant: each with its certificate, and without `alg`. */
export async function tenantKeys(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const { host } = new URL(server.issuer);
  const body = keys
    .filter(({ kty }) => kty === 'RSA')
    .map(({ kid, n, e, x5t, x5c }) => {
      const known = { kty: 'RSA', use: 'sig', kid, x5t, n, e, x5c };
      return { ...known, cloud_instance_name: host, issuer: server.iss };
    });
  return { kind: 'json', status: 200, body: { keys: body } };
}
