import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import { type ProtectedResource, resourceMetadataPath } from '../protected-resource.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';
import { whenOn } from './metadata.ts';

/** Metadata of a protected resource (RFC 9728 §3), at the address derived from its identifier. */
export async function resourceMetadata(server: AuthorizationServer, { path }: EndpointRequest): Promise<Reply> {
  const asked = new URL(server.issuer).origin + path.slice(resourceMetadataPath.length);
  const found = server.protectedResources.find(({ resource }) => resource === asked);
  if (found !== undefined) return { kind: 'json', status: 200, body: documentOf(server, found) };
  throw new OAuthError('invalid_request', 'path_unknown', 'there is no protected resource at this address', {
    status: 404,
    sent: shorten(asked),
    expected: server.protectedResources.map(({ resource }) => resource).join('\n'),
  });
}

/** RFC 9728 §2. `offline_access` is left out: it concerns the client and the issuer, and no API requires it. */
function documentOf(server: AuthorizationServer, { resource, name, scopes }: ProtectedResource): object {
  return {
    resource,
    authorization_servers: [server.iss],
    scopes_supported: scopes.filter(scope => scope !== 'offline_access'),
    bearer_methods_supported: ['header'],
    resource_name: name,
    ...whenOn(server, 'dpop', { dpop_signing_alg_values_supported: asymmetricAlgs(server) }),
    ...whenOn(server, 'mtls', { tls_client_certificate_bound_access_tokens: true }),
  };
}
