import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/** The public keys (RFC 7517 §5); waits for keys that are still being made. */
export async function jwks(server: AuthorizationServer): Promise<Reply> {
  const { keyCertificates: isCertified } = server.dropIns ?? {};
  const body = isCertified ? await certified(server) : await server.keys.jwks();
  return { kind: 'json', status: 200, body };
}

async function certified(server: AuthorizationServer): Promise<object> {
  return (await import('../tokens/key-certificate.ts')).certifiedKeys(server);
}
