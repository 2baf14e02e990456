import type { ClientCall } from '../../oauth/authorization-server.ts';
import { signJwt } from '../../oauth/tokens/signing-key.ts';

/** An ID token about a service account itself, for an API that expects `audience`. */
export async function serviceAccountIdToken({ server, client, emit }: ClientCall, audience: string): Promise<string> {
  const { client_id } = client;
  const iat = server.clock();
  const exp = iat + client.access_token_lifetime;
  const about = { azp: client_id, sub: client_id, email: client_id, email_verified: true };
  const key = await server.keys.forAlg(client.id_token_signed_response_alg);
  const token = await signJwt(key, 'JWT', { iss: server.iss, aud: audience, ...about, iat, exp });
  const ids = { tokenId: server.random.tokenId(), authorizationId: server.random.id() };
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const { kid, alg } = key;
  emit({
    type: 'token.issued',
    ...ids,
    token,
    client_id,
    grant_type,
    iat,
    exp,
    tokenType: 'id',
    format: 'jwt',
    kid,
    alg,
  });
  return token;
}
