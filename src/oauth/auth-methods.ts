import type { AuthorizationServer } from './authorization-server.ts';
import { type TokenEndpointAuthMethod, tokenEndpointAuthMethods } from './client.ts';

const always: readonly TokenEndpointAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'none'];

/** How clients can prove who they are here (OIDC Core §9), in the order of preference of RFC 7591. */
export function supportedAuthMethods(_server: AuthorizationServer): readonly TokenEndpointAuthMethod[] {
  return tokenEndpointAuthMethods.filter(method => always.includes(method));
}
