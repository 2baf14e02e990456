import { hash } from 'node:crypto';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../client.ts';
import { userClaims } from '../user-claims.ts';

/**
 * The claims of an ID Token (OIDC Core §2). Profile claims come from UserInfo (§5.4), unless the client is configured to
 * have them here as well.
 */
export function idTokenClaims(
  server: AuthorizationServer,
  client: RegisteredClient,
  authorization: Authorization & { readonly sub: string },
  { scopes, accessToken }: { scopes: readonly string[]; accessToken: string },
): Readonly<Record<string, unknown>> {
  const now = server.clock();
  return {
    ...(client.id_token_claims === 'all' ? userClaims(server, authorization.sub, scopes) : {}),
    iss: server.issuer,
    sub: authorization.sub,
    aud: client.client_id,
    azp: client.client_id,
    exp: now + server.lifetimes.idToken,
    iat: now,
    ...(authorization.nonce === undefined ? {} : { nonce: authorization.nonce }),
    at_hash: accessTokenHash(accessToken, client.id_token_signed_response_alg),
    ...authorization.session,
  };
}

/** OIDC Core §3.1.3.6: the left half of the hash that belongs to the ID Token's algorithm. */
export function accessTokenHash(accessToken: string, alg: string): string {
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512'; // Ed25519 hashes with SHA-512 (RFC 8032 §5.1)
  const digest = hash(`sha${alg === 'Ed25519' ? '512' : bits}`, accessToken, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
