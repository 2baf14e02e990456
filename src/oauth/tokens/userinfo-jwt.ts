import { type EncryptionContext, encryptClaims, encryptJwt } from './encrypt-jwt.ts';
import { signJwt } from './signing-key.ts';

/**
 * UserInfo as the client is registered for it (OIDC Core §5.3.2): signed by us, encrypted to the client, or first the one and
 * then the other.
 */
export async function userInfoJwt(context: EncryptionContext, claims: object): Promise<string> {
  const { server, client } = context;
  const { userinfo_signed_response_alg: signing, userinfo_encrypted_response_alg: alg } = client;
  const own = { ...claims, iss: server.issuer, aud: client.client_id };
  const signed = signing === undefined ? undefined : await signJwt(await server.keys.forAlg(signing), 'JWT', own);
  if (alg === undefined) return signed ?? '';
  const encryption = { alg, enc: client.userinfo_encrypted_response_enc };
  return signed === undefined ? encryptClaims(context, own, encryption) : encryptJwt(context, signed, encryption);
}
