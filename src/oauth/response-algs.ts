import type { AuthorizationServer } from './authorization-server.ts';
import type { RegisteredClient } from './clients/client.ts';

/** The algorithms a client wants our signatures by, wherever it has registered for one. */
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
 * Begins the keys that a client needs which came at run time. Its library may read the JWK Set once, with the first ID Token,
 * and not again for a minute: a key that is made when it first signs comes too late for it.
 */
export function beginKeys({ keys }: AuthorizationServer, client: RegisteredClient): void {
  for (const alg of responseAlgs(client)) keys.forAlg(alg).catch(() => {}); // told when it is to sign
}
