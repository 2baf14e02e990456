import type { AuthorizationServer } from './authorization-server.ts';
import type { RegisteredClient, TokenEndpointAuthMethod } from './clients/client.ts';
import { invalidClient, unauthorizedClient } from './errors.ts';
import { responseAlgs } from './response-algs.ts';

/** FAPI 2.0 Security Profile §5.4.1: the signature algorithms allowed to the server and its clients. */
const fapiAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** FAPI 2.0 Security Profile §5.3.2.1: the authentication methods allowed to clients. */
export const fapiAuthMethods: readonly TokenEndpointAuthMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
];

/** The algorithms of a list that the profile allows. */
export function allowedAlgs(
  { profile }: Pick<AuthorizationServer, 'profile'>,
  algs: readonly string[],
): readonly string[] {
  return profile === 'fapi2' ? algs.filter(alg => fapiAlgs.includes(alg)) : algs;
}

const asymmetric: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Signature algorithms with a private key (RFC 7518 §3.1, RFC 8037 §3.1, RFC 9864 §2.2): for our tokens, request
 * objects (RFC 9101 §10.1), DPoP proofs (RFC 9449 §5.1) and assertions. Never an HMAC, never `none`.
 */
export function asymmetricAlgs(server: Pick<AuthorizationServer, 'profile'>): readonly string[] {
  return allowedAlgs(server, asymmetric);
}

/** Signature algorithm of a client that registered none: RS256 (JARM §3, RFC 9701 §6), unless FAPI 2.0 §5.4.1 forbids it. */
export function defaultAlg({ profile }: Pick<AuthorizationServer, 'profile'>): 'RS256' | 'PS256' {
  return profile === 'fapi2' ? 'PS256' : 'RS256';
}

/**
 * Refuses a client that FAPI 2.0 does not allow.
 * @throws invalid_client for another authentication method, unauthorized_client for another signature algorithm
 */
export function checkProfile(client: RegisteredClient, method: TokenEndpointAuthMethod): void {
  const { client_id } = client;
  if (!fapiAuthMethods.includes(method)) {
    const expected = fapiAuthMethods.join(', ');
    const description = `the FAPI 2.0 profile is on: clients authenticate with ${expected}`;
    throw invalidClient('profile_violated', description, { sent: method, expected, client_id });
  }
  const alg = responseAlgs(client).find(each => !fapiAlgs.includes(each));
  if (alg === undefined) return;
  const description = `the FAPI 2.0 profile is on, and this client is registered for signatures by ${alg}`;
  throw unauthorizedClient('profile_violated', description, { sent: alg, expected: fapiAlgs.join(', '), client_id });
}
