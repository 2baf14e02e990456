import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { requestedClaims, subjectFor, unscopedClaims, userClaims } from '../users/user-claims.ts';
import { encryptJwt } from './encrypt-jwt.ts';
import { isHmac, type SigningKey } from './signing-key.ts';
import { secretKey } from './verification-key.ts';

/** Input for an ID token. */
export interface IdTokenContext {
  readonly scopes: readonly string[];
  /** Absent if none is issued: then the ID token has the claims of the scopes (OIDC Core §5.4). */
  readonly accessToken?: string;
  /** The code that is sent next to it in the front channel (OIDC Core §3.3.2.11). */
  readonly code?: string;
}

/** The claims of an ID token (OIDC Core §2). Profile claims are in UserInfo (§5.4), unless `id_token_claims` is `all`. */
export function idTokenClaims(
  server: AuthorizationServer,
  client: RegisteredClient,
  authorization: Authorization & { readonly sub: string },
  { scopes, accessToken, code }: IdTokenContext,
): Readonly<Record<string, unknown>> & { readonly iat: number; readonly exp: number } {
  const now = server.clock();
  const alg = client.id_token_signed_response_alg;
  const all = client.id_token_claims === 'all' || (accessToken === undefined && code === undefined);
  return {
    ...(all ? userClaims(server, authorization, scopes) : unscopedClaims(server, authorization)),
    ...requestedClaims(server, authorization, authorization.claims?.id_token),
    iss: server.iss,
    sub: subjectFor(server, client, authorization.sub),
    aud: client.client_id,
    azp: client.client_id,
    exp: Math.min(now + (client.id_token_lifetime ?? server.lifetimes.idToken), authorization.notAfter ?? Infinity),
    iat: now,
    ...defined({ nonce: authorization.nonce }),
    ...(accessToken === undefined ? {} : { at_hash: tokenHash(accessToken, alg) }),
    ...(code === undefined ? {} : { c_hash: tokenHash(code, alg) }),
    ...authorization.session,
  };
}

/** `at_hash`, `c_hash` (OIDC Core §3.1.3.6, §3.3.2.11): the left half of the hash that belongs to the ID token's algorithm. */
export function tokenHash(token: string, alg: string): string {
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512'; // Ed25519 hashes with SHA-512 (RFC 8032 §5.1)
  const digest = hash(`sha${alg === 'Ed25519' ? '512' : bits}`, token, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** The key that signs the ID tokens of a client: one of this server, or the secret of the client (OIDC Core §10.1). */
export async function idTokenKey({ keys }: AuthorizationServer, client: RegisteredClient): Promise<SigningKey> {
  const { id_token_signed_response_alg: alg } = client;
  return isHmac(alg) ? secretKey(client) : keys.forAlg(alg);
}

/** Encrypts an ID token or a logout token if the client is registered for that (OIDC Core §2). */
export async function sealed(call: ClientCall, signed: string): Promise<string> {
  const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc } = call.client;
  if (alg === undefined) return signed;
  return encryptJwt(call, signed, { alg, enc });
}
