import { createSecretKey, type KeyObject } from 'node:crypto';
import { decodeJwt, errors } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { recallClient } from '../clients/find-client.ts';
import type { SigningKey } from './signing-key.ts';

type Signed = Pick<RegisteredClient, 'client_secret' | 'id_token_signed_response_alg'>;

/** The secret of a client as the key that signs its ID Tokens (OIDC Core §10.1). It is in no JWK Set and has no `kid`. */
export function secretKey({ client_secret = '', id_token_signed_response_alg: alg }: Signed): SigningKey {
  const key = createSecretKey(Buffer.from(client_secret));
  return { kid: '', alg, privateKey: key, publicKey: key, publicJwk: { kty: 'oct', kid: '', alg, use: 'sig' } };
}

/**
 * The secret that an ID Token was signed with: that of the client in `aud`, if it is registered for this algorithm. No
 * other key is ever used for an HMAC (RFC 8725 §2.1).
 * @throws JWKSNoMatchingKey
 */
export async function secretBehind(server: AuthorizationServer, jwt: string, alg: string): Promise<KeyObject> {
  const { aud } = decodeJwt(jwt);
  const [client_id = ''] = [aud].flat();
  const client = await recallClient(server, client_id);
  if (client?.client_secret === undefined || client.id_token_signed_response_alg !== alg)
    throw new errors.JWKSNoMatchingKey();
  return secretKey(client).publicKey;
}
