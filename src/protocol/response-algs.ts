import type { AuthorizationServer } from './authorization-server.ts';
import type { RegisteredClient } from './clients/client.ts';

/** The signature algorithms that a client has registered for our responses. */
export function responseAlgs(client: RegisteredClient): readonly string[] {
  const registered = [
    client.id_token_signed_response_alg,
    client.userinfo_signed_response_alg,
    client.authorization_signed_response_alg,
    client.introspection_signed_response_alg,
  ];
  return [...new Set(registered.filter(alg => alg !== undefined))];
}

/**
 * Starts to make the keys for a client that was added at run time: its library may read the JWK Set with the first ID Token,
 * and not again for a minute.
 */
export function beginKeys({ keys }: AuthorizationServer, client: RegisteredClient): void {
  for (const alg of responseAlgs(client)) keys.forAlg(alg).catch(() => {}); // an error is reported when the key is to sign; a secret is no key of ours
}
