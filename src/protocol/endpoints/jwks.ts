import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/** The public keys (RFC 7517 §5); waits for keys that are still being made. */
export async function jwks(server: AuthorizationServer): Promise<Reply> {
  const { keyCertificates, requestEncryption } = server.dropIns ?? {};
  const signing = keyCertificates
    ? await (await import('../tokens/key-certificate.ts')).certifiedKeys(server)
    : await server.keys.jwks();
  const body = requestEncryption
    ? await (await import('../decryption-keys.ts')).withDecryptionKeys(server.keys, signing)
    : signing;
  return { kind: 'json', status: 200, body };
}
