import type { AuthorizationServer } from '../authorization-server.ts';
import { allowedAlgs, asymmetricAlgs, fapiAuthMethods } from '../profile.ts';
import { type TokenEndpointAuthMethod, tokenEndpointAuthMethods } from './client.ts';

/** Methods that use the certificate of the connection (RFC 8705 §2). */
export const tlsMethods: readonly TokenEndpointAuthMethod[] = ['tls_client_auth', 'self_signed_tls_client_auth'];

/** Client authentication methods this server accepts (OIDC Core §9), in the order of preference of RFC 7591. */
export function supportedAuthMethods({ features, profile }: AuthorizationServer): readonly TokenEndpointAuthMethod[] {
  const methods = profile === 'fapi2' ? fapiAuthMethods : tokenEndpointAuthMethods;
  return methods.filter(method => features.has('mtls') || !tlsMethods.includes(method));
}

/** Methods that use a JWT (OIDC Core §9), signed with the client's secret or with its private key. */
export type AssertionMethod = Extract<TokenEndpointAuthMethod, 'client_secret_jwt' | 'private_key_jwt'>;

export const assertionMethods: readonly AssertionMethod[] = ['client_secret_jwt', 'private_key_jwt'];

/** Algorithms for assertions of these methods; `none` is never among them. */
export function assertionAlgs(
  server: Pick<AuthorizationServer, 'profile'>,
  methods: readonly TokenEndpointAuthMethod[],
): readonly string[] {
  return [
    ...(methods.includes('client_secret_jwt') ? allowedAlgs(server, ['HS256', 'HS384', 'HS512']) : []),
    ...(methods.includes('private_key_jwt') ? asymmetricAlgs(server) : []),
  ];
}
