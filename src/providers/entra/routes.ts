import type { AnyMembers } from '../../base/text/record.ts';
import { type AuthorizationServer, endpointUrl } from '../../protocol/authorization-server.ts';
import { allowsPostLogoutRedirectUri } from '../../protocol/clients/client.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import { authorize } from '../../protocol/endpoints/authorize.ts';
import { deviceAuthorization } from '../../protocol/endpoints/device-authorization.ts';
import { confirmLogout } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { openidConfigurationEndpoint } from '../../protocol/endpoints/metadata.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { lenientParameter, rejectUnreadable } from '../../protocol/parameters.ts';
import { stableId } from '../../protocol/random.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import { asChallenge, asJson, asPage, type ErrorForm } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { addressOf, firstVersionIssuer, requireTenant, rootOf, sharedAuthorities } from './places.ts';
import { heard, heardResource, withValues } from './scopes.ts';
import { firstTokenEndpoint, tokenEndpoint } from './token-endpoint.ts';

const own = ownRoute('Entra ID');
const open = { form: asJson, cors: 'anyone', constant: true } as const;
const page = { form: asPage } as const;
const called = { form: asJson, ...forClients, credentials: true } as const;

const graphCall: EndpointFunction = async (server, request) =>
  (await import('./graph/graph.ts')).answerGraph(server, request);

/** Endpoints of a tenant, by its GUID and by its other names, in both versions. */
export function routes(place: PresetPlace): readonly EndpointRoute[] {
  const { base } = place;
  const root = rootOf(place);
  const graph = { form: asGraphError, ...forClients, body: 'json' } as const;
  return [
    ...metadataRoutes(base, root),
    ...endpointsAt(base),
    // a name in the path is another name of this tenant, or of none
    ...endpointsAt(`${root}/:tenant`),
    ...userinfoRoutes(base, root),
    // Graph has another host at Microsoft; below the tenant, each of several tenants has its own
    ...[root, base].map(at =>
      own('graph GET POST PUT DELETE', `${at}/v1.0/*call`, 'Microsoft Graph', graphCall, graph),
    ),
  ];
}

function metadataRoutes(base: string, root: string): readonly EndpointRoute[] {
  const document = '.well-known/openid-configuration';
  const named = `${root}/:tenant`;
  return [
    own('discovery GET', `${named}/v2.0/${document}`, 'metadata of version 2.0', authorityMetadata, open),
    ...[base, named].map(at =>
      own('discovery GET', `${at}/${document}`, 'metadata of version 1.0', firstMetadata, open),
    ),
    own('instances GET', `${root}/common/discovery/instance`, 'the clouds that SDKs may trust', instanceDiscovery, {
      form: asJson,
      cors: 'anyone',
    }),
  ];
}

function endpointsAt(at: string): readonly EndpointRoute[] {
  return [
    own('jwks GET', `${at}/discovery/v2.0/keys`, 'public keys with certificates', keys, open),
    own('jwks GET', `${at}/discovery/keys`, 'public keys, version 1.0', keys, open),
    own('authorize GET POST', `${at}/oauth2/v2.0/authorize`, 'authorization endpoint', ofTenant(authorize), page),
    own('authorize GET POST', `${at}/oauth2/authorize`, 'authorization endpoint, version 1.0', firstAuthorize, page),
    own('token POST', `${at}/oauth2/v2.0/token`, 'token endpoint', tokenEndpoint, called),
    own('token POST', `${at}/oauth2/token`, 'token endpoint, version 1.0', firstTokenEndpoint, called),
    ...['/oauth2/v2.0/devicecode', '/oauth2/devicecode'].map(path =>
      own('device_authorization POST', at + path, 'device authorization', deviceCode, { ...called, feature: 'device' }),
    ),
    ...['/oauth2/v2.0/logout', '/oauth2/logout'].map(path =>
      own('end_session GET POST', at + path, 'logout', logout, page),
    ),
  ];
}

function userinfoRoutes(base: string, root: string): readonly EndpointRoute[] {
  return [`${base}/openid/userinfo`, `${root}/oidc/userinfo`].map(path =>
    own('userinfo GET POST', path, 'UserInfo', userinfo, { form: asChallenge, ...forClients }),
  );
}

const keys = ofTenant(tenantKeys);

function ofTenant(endpoint: EndpointFunction): EndpointFunction {
  return async (server, request) => {
    await requireTenant(server, request);
    return endpoint(server, request);
  };
}

/** The metadata as an authority sees it that was named in the path: `common` has its own endpoints, and an issuer for any tenant. */
const authorityMetadata: EndpointFunction = async (server, request) => {
  const name = await requireTenant(server, request);
  const metadata = await metadataOf(server, request);
  return json(isShared(name) ? shared(server, metadata, name) : metadata);
};

/** The metadata of version 1.0, which is at the authority itself. */
const firstMetadata: EndpointFunction = async (server, request) => {
  const name = await requireTenant(server, request);
  const metadata = await metadataOf(server, request);
  const first = asFirstVersion(server, metadata);
  return json(isShared(name) ? shared(server, first, name) : first);
};

async function metadataOf(server: AuthorizationServer, request: EndpointRequest): Promise<AnyMembers> {
  const reply = await openidConfigurationEndpoint(server, request);
  return reply.kind === 'json' ? (reply.body as AnyMembers) : {}; // the metadata is JSON
}

function isShared(name: string): boolean {
  return sharedAuthorities.some(each => each === name);
}

/** `{tenantid}` is literal there: a client puts the `tid` of a token in its place. */
function shared(server: AuthorizationServer, metadata: AnyMembers, name: string): AnyMembers {
  const { issuer } = server;
  const address = addressOf(server);
  const moved = Object.entries(metadata).map(([member, value]) => {
    if (typeof value !== 'string' || !value.startsWith(`${issuer}/`)) return [member, value];
    const tenant = member === 'issuer' ? '{tenantid}' : name;
    return [member, `${address}/${tenant}${value.slice(issuer.length)}`];
  });
  return Object.fromEntries(moved);
}

/** Endpoints of version 1.0 are without `/v2.0`. */
function asFirstVersion(server: AuthorizationServer, metadata: AnyMembers): AnyMembers {
  const { issuer } = server;
  return {
    ...metadata,
    issuer: firstVersionIssuer(server),
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    device_authorization_endpoint: `${issuer}/oauth2/devicecode`,
    end_session_endpoint: `${issuer}/oauth2/logout`,
    jwks_uri: `${addressOf(server)}/common/discovery/keys`,
    userinfo_endpoint: `${issuer}/openid/userinfo`,
    microsoft_multi_refresh_token: true,
  };
}

/** Which hosts are one cloud: only this sandbox. SDKs ask before they trust an authority. */
async function instanceDiscovery(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { host } = new URL(server.issuer);
  const asked = request.parameters.values.get('authorization_endpoint') ?? '';
  const tenant = URL.canParse(asked) ? (new URL(asked).pathname.split('/')[1] ?? '') : '';
  return json({
    tenant_discovery_endpoint: `${addressOf(server)}/${tenant === '' ? 'common' : tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': request.parameters.values.get('api-version') ?? '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  });
}

function json(body: object): Reply {
  return { kind: 'json', status: 200, body };
}

/**
 * The authorization endpoint of version 1.0. It names the API by `resource`, and always asks for an identity. The request
 * goes on at the endpoint of version 2.0 with a scope that says the same.
 */
async function firstAuthorize(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
async function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
async function tenantKeys(server: AuthorizationServer): Promise<Reply> {
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

const codes: Readonly<Record<number, string>> = {
  400: 'Request_BadRequest',
  401: 'InvalidAuthenticationToken',
  403: 'Authorization_RequestDenied',
  404: 'Request_ResourceNotFound',
  405: 'Request_BadRequest',
  429: 'TooManyRequests',
  501: 'NotImplemented',
};

const asGraphError: ErrorForm = {
  name: 'json',
  async answer(error, { requestId, req }) {
    const id = stableId(requestId);
    const sent = req.headers['client-request-id'];
    const innerError = {
      date: new Date().toISOString().slice(0, 19),
      'request-id': id,
      'client-request-id': typeof sent === 'string' ? sent.slice(0, 100) : id,
    };
    const code = codes[error.status] ?? 'UnknownError';
    const headers: Record<string, string> = error.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    return jsonAnswer(
      error.status,
      { error: { code, message: messageOf(error), innerError } },
      { ...headers, ...error.details.headers },
    );
  },
};

function messageOf({ status, description, details: { expected } }: OAuthError): string {
  if (status === 403) return `Insufficient privileges to complete the operation. ${description}: ${expected ?? ''}`;
  return status === 501 && expected !== undefined ? `${description}; the nearest call is ${expected}` : description;
}
