import { isRecord } from '../../text/record.ts';
import type { AuthorizationServer } from '../authorization-server.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** What back ends call. Where a browser is sent to stays at the issuer, whoever asks. */
const calledByBackEnds = [
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
  'registration_endpoint',
  'device_authorization_endpoint',
  'backchannel_authentication_endpoint',
];

/**
 * A metadata document (RFC 8414 §2, OIDC Discovery §3) for somebody who reaches this server by the back channel only: the
 * same issuer, and endpoints that can be called from there.
 */
export function forBackchannel(
  { issuer, backchannelUrl = issuer }: Pick<AuthorizationServer, 'issuer' | 'backchannelUrl'>,
  metadata: Metadata,
): Metadata {
  const moved = (value: unknown) =>
    typeof value === 'string' && value.startsWith(issuer) ? backchannelUrl + value.slice(issuer.length) : value;
  const { mtls_endpoint_aliases: aliases } = metadata;
  const found = calledByBackEnds.filter(name => name in metadata);
  return {
    ...metadata,
    ...Object.fromEntries(found.map(name => [name, moved(metadata[name])])),
    ...(isRecord(aliases)
      ? { mtls_endpoint_aliases: Object.fromEntries(Object.entries(aliases).map(([name, url]) => [name, moved(url)])) }
      : {}),
  };
}
