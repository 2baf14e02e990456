import { type CompactJWEHeaderParameters, compactDecrypt } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { encryptionAlgs, encryptionEncs } from '../clients/client.ts';
import { decryptionKeys } from '../decryption-keys.ts';
import type { Refuse } from '../errors.ts';

/** Longest text inside, so that a small object cannot become a large one. */
const longest = 64 * 1024;

/**
 * The signed JWT inside of an encrypted request object (RFC 9101 §6.1), with the relaxation `REQUEST_ENCRYPTION`.
 * @throws invalid_request_object
 */
export async function decryptObject(server: AuthorizationServer, jwe: string, refuse: Refuse): Promise<string> {
  const { rsa, ec } = await decryptionKeys(server.keys);
  const keyOf = ({ alg = '' }: CompactJWEHeaderParameters) => (alg.startsWith('RSA') ? rsa : ec).privateKey;
  try {
    const { plaintext } = await compactDecrypt(jwe, keyOf, {
      keyManagementAlgorithms: [...encryptionAlgs],
      contentEncryptionAlgorithms: [...encryptionEncs],
    });
    if (plaintext.length <= longest) return new TextDecoder().decode(plaintext);
  } catch (cause) {
    const description = 'the request object cannot be decrypted with a key of this server';
    const expected = 'a JWE to a key of the JWK Set with use enc';
    throw refuse('request_object_malformed', description, { expected, cause });
  }
  throw refuse('request_object_malformed', 'the request object is too long', { expected: `at most ${longest} bytes` });
}
