import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { Session } from '../users/session.ts';
import { subjectFor } from '../users/subject.ts';
import { signJwt } from './signing-key.ts';

/** OIDC Back-Channel Logout §2.4. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Seconds; OIDC Back-Channel Logout §2.4 recommends two minutes at most. */
const lifetime = 120;

/**
 * Tells one client that a session ended (OIDC Back-Channel Logout §2.4): with both `sub` and `sid` as in its ID Tokens, never
 * with a `nonce`, signed and encrypted as its ID Tokens are.
 */
export async function logoutToken(
  server: AuthorizationServer,
  client: RegisteredClient,
  { sub, sid }: Pick<Session, 'sub' | 'sid'>,
  emit: Emit,
): Promise<string> {
  const key = await server.keys.forAlg(client.id_token_signed_response_alg);
  const iat = server.clock();
  const signed = await signJwt(key, 'logout+jwt', {
    iss: server.issuer,
    sub: subjectFor(server, client, sub),
    aud: client.client_id,
    iat,
    exp: iat + lifetime,
    jti: server.random.id(),
    sid,
    events: { [logoutEvent]: {} },
  });
  const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc } = client;
  if (alg === undefined) return signed;
  const { encryptJwt } = await import('./encrypt-jwt.ts');
  return encryptJwt({ server, client, emit }, signed, { alg, enc });
}
