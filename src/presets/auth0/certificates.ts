import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Reply } from '../../oauth/endpoints/endpoint.ts';
import { certifiedKeys } from '../../oauth/tokens/key-certificate.ts';

/** The public keys, RSA keys with a certificate that they signed themselves: `x5c` and `x5t` (RFC 7517 §4.7, §4.8). */
export async function jwksWithCertificates(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const body = keys.map(({ x5c, x5t, 'x5t#S256': _, ...jwk }) => (jwk.kty === 'RSA' ? { ...jwk, x5c, x5t } : jwk));
  return { kind: 'json', status: 200, body: { keys: body } };
}
