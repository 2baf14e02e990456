import type { AuthorizationServer } from '../authorization-server.ts';
import { allowedAlgs } from '../profile.ts';
import type { TokenEndpointAuthMethod } from './client.ts';

/** The ways to prove who a client is by a JWT (OIDC Core §9): with its secret, or with its private key. */
export type AssertionMethod = Extract<TokenEndpointAuthMethod, 'client_secret_jwt' | 'private_key_jwt'>;

export const assertionMethods: readonly AssertionMethod[] = ['client_secret_jwt', 'private_key_jwt'];

const algsOf: Readonly<Record<AssertionMethod, readonly string[]>> = {
  client_secret_jwt: ['HS256', 'HS384', 'HS512'],
  private_key_jwt: [
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
    ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ],
};

/** The algorithms of assertions that authenticate by one of these methods; `none` is never among them. */
export function assertionAlgs(
  server: Pick<AuthorizationServer, 'profile'>,
  methods: readonly TokenEndpointAuthMethod[],
): readonly string[] {
  const algs = assertionMethods.filter(method => methods.includes(method)).flatMap(method => algsOf[method]);
  return allowedAlgs(server, algs);
}
