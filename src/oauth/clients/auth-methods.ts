import type { AuthorizationServer } from '../authorization-server.ts';
import { fapiAuthMethods } from '../profile.ts';
import { type TokenEndpointAuthMethod, tokenEndpointAuthMethods } from './client.ts';

/** By the certificate of the connection (RFC 8705 §2). */
export const tlsMethods: readonly TokenEndpointAuthMethod[] = ['tls_client_auth', 'self_signed_tls_client_auth'];

/** How clients can prove who they are here (OIDC Core §9), in the order of preference of RFC 7591. */
export function supportedAuthMethods({ features, profile }: AuthorizationServer): readonly TokenEndpointAuthMethod[] {
  const methods = profile === 'fapi2' ? fapiAuthMethods : tokenEndpointAuthMethods;
  return methods.filter(method => features.has('mtls') || !tlsMethods.includes(method));
}
