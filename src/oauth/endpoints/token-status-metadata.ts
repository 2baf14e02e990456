import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import { supportedAuthMethods } from '../clients/auth-methods.ts';
import { allowedAlgs } from '../profile.ts';
import { signingAlgs } from '../tokens/signing-key.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** What metadata says of introspection and revocation (RFC 8414 §2, RFC 9701 §7), as far as they are on. */
export function tokenStatusMetadata(server: AuthorizationServer): Metadata {
  return { ...introspectionMetadata(server), ...revocationMetadata(server) };
}

/** A client without credentials cannot introspect. */
function introspectionMetadata(server: AuthorizationServer): Metadata {
  if (!server.features.has('introspection')) return {};
  return {
    introspection_endpoint: endpointUrl(server, 'introspect'),
    introspection_endpoint_auth_methods_supported: supportedAuthMethods(server).filter(method => method !== 'none'),
    introspection_signing_alg_values_supported: allowedAlgs(server, signingAlgs),
  };
}

function revocationMetadata(server: AuthorizationServer): Metadata {
  if (!server.features.has('revocation')) return {};
  return {
    revocation_endpoint: endpointUrl(server, 'revoke'),
    revocation_endpoint_auth_methods_supported: supportedAuthMethods(server),
  };
}
