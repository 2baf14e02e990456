import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/** The public keys (RFC 7517 §5); waits for keys that are still being made. */
export async function jwks(server: AuthorizationServer): Promise<Reply> {
  return { kind: 'json', status: 200, body: await server.keys.jwks() };
}
