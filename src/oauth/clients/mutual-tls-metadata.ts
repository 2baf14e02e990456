import type { AuthorizationServer } from '../authorization-server.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** Endpoints where a client authenticates, or a bound token is used (RFC 8705 §5). */
const aliased = [
  'token_endpoint',
  'revocation_endpoint',
  'introspection_endpoint',
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
  'userinfo_endpoint',
];

/**
 * A metadata document with what it says of mutual TLS (RFC 8705 §3.3, §5). The aliases are the addresses everybody uses:
 * this server asks each connection for a certificate, in a way that browsers have nothing to choose from.
 */
export function withMutualTls({ features }: AuthorizationServer, metadata: Metadata): Metadata {
  if (!features.has('mtls')) return metadata;
  return {
    ...metadata,
    tls_client_certificate_bound_access_tokens: true,
    mtls_endpoint_aliases: Object.fromEntries(
      aliased.filter(name => name in metadata).map(name => [name, metadata[name]]),
    ),
  };
}
