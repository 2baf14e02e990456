import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reply } from './endpoint.ts';

/** The public keys (RFC 7517 §5); waits for keys that are still being made. */
export async function jwks(server: AuthorizationServer): Promise<Reply> {
  const { keyCertificates, requestEncryption } = server.dropIns ?? {};
  const signing = keyCertificates ? await certified(server) : await server.keys.jwks();
  const body = requestEncryption ? await withEncryption(server, signing) : signing;
  return { kind: 'json', status: 200, body };
}

type KeySet = Awaited<ReturnType<AuthorizationServer['keys']['jwks']>>;

async function certified(server: AuthorizationServer): Promise<KeySet> {
  return (await import('../tokens/key-certificate.ts')).certifiedKeys(server);
}

async function withEncryption({ keys }: AuthorizationServer, signing: KeySet): Promise<object> {
  return (await import('../decryption-keys.ts')).withDecryptionKeys(keys, signing);
}
