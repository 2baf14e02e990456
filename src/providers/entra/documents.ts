import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { openidConfigurationEndpoint } from '../../protocol/endpoints/metadata.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { addressOf, firstVersionIssuer, sharedAuthorities } from './places.ts';
import { requireTenant } from './tenant.ts';

/** The metadata as an authority sees it that was named in the path: `common` has its own endpoints, and an issuer for any tenant. */
export const authorityMetadata: EndpointFunction = async (server, request) => {
  const name = await requireTenant(server, request);
  const metadata = await metadataOf(server, request);
  return json(isShared(name) ? shared(server, metadata, name) : metadata);
};

/** The metadata of version 1.0, which is at the authority itself. */
export const firstMetadata: EndpointFunction = async (server, request) => {
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
export async function instanceDiscovery(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
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
