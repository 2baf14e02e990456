import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { allowedAlgs, defaultAlg } from '../profile.ts';
import { signJwt } from './signing-key.ts';

/** Seconds. JARM §2.1 recommends at most ten minutes, and a code lives for one. */
const lifetime = 300;

/** The algorithm the client registered, or else the default of this server. */
export function responseAlg(server: AuthorizationServer, client: RegisteredClient): string {
  const { authorization_signed_response_alg: registered } = client;
  return allowedAlgs(server, registered === undefined ? [] : [registered])[0] ?? defaultAlg(server);
}

/** The parameters of an authorization response as a signed JWT (JARM §2.1). */
export async function signResponse(
  server: AuthorizationServer,
  client: RegisteredClient,
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  const key = await server.keys.forAlg(responseAlg(server, client));
  const exp = server.clock() + lifetime;
  return signJwt(key, 'JWT', { ...parameters, iss: server.iss, aud: client.client_id, exp });
}
