import type { AuthorizationServer } from './authorization-server.ts';
import {
  type RegisteredClient,
  type ResponseType,
  responseTypes,
  type TokenEndpointAuthMethod,
  tokenEndpointAuthMethods,
} from './clients/client.ts';
import { invalidClient, unauthorizedClient } from './errors.ts';

/** FAPI 2.0 Security Profile §5.4.1: the signature algorithms allowed to the server and its clients. */
const fapiAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

/** FAPI 2.0 Security Profile §5.3.2.1: the authentication methods allowed to clients. */
const fapiAuthMethods: readonly TokenEndpointAuthMethod[] = [
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

/** The signature algorithms that a client has registered for our responses. */
export function responseAlgs(client: RegisteredClient): readonly string[] {
  const registered = [
    client.id_token_signed_response_alg,
    client.userinfo_signed_response_alg,
    client.authorization_signed_response_alg,
    client.introspection_signed_response_alg,
  ];
  return [...new Set(registered.filter(alg => alg !== undefined))];
}

/**
 * Starts to make the keys for a client that was added at run time: its library may read the JWK Set with the first ID token,
 * and not again for a minute.
 */
export function beginKeys({ keys }: AuthorizationServer, client: RegisteredClient): void {
  for (const alg of responseAlgs(client)) keys.forAlg(alg).catch(() => {}); // an error is reported when the key is to sign; a secret is no key of ours
}

/** Methods that use the certificate of the connection (RFC 8705 §2). */
export const tlsMethods: readonly TokenEndpointAuthMethod[] = ['tls_client_auth', 'self_signed_tls_client_auth'];

/** Client authentication methods this server accepts (OIDC Core §9), in the order of preference of RFC 7591. */
export function supportedAuthMethods({ features, profile }: AuthorizationServer): readonly TokenEndpointAuthMethod[] {
  const methods = profile === 'fapi2' ? fapiAuthMethods : tokenEndpointAuthMethods;
  return methods.filter(method => features.has('mtls') || !tlsMethods.includes(method));
}

/** Methods that use a JWT (OIDC Core §9), signed with the client's secret or with its private key. */
export type AssertionMethod = Extract<TokenEndpointAuthMethod, 'client_secret_jwt' | 'private_key_jwt'>;

export const assertionMethods: readonly AssertionMethod[] = ['client_secret_jwt', 'private_key_jwt'];

/** Algorithms for assertions of these methods; `none` is never among them. */
export function assertionAlgs(
  server: Pick<AuthorizationServer, 'profile'>,
  methods: readonly TokenEndpointAuthMethod[],
): readonly string[] {
  return [
    ...(methods.includes('client_secret_jwt') ? allowedAlgs(server, ['HS256', 'HS384', 'HS512']) : []),
    ...(methods.includes('private_key_jwt') ? asymmetricAlgs(server) : []),
  ];
}

/** Response types offered here. OAuth 2.1 removes all but `code`, and FAPI 2.0 §5.3.2.2 allows only `code`. */
export function responseTypesSupported({
  features,
  profile,
}: Pick<AuthorizationServer, 'features' | 'profile'>): readonly ResponseType[] {
  return features.has('implicit') && profile === 'none' ? responseTypes : ['code'];
}

/** The registered spelling; the order of the words does not count (OAuth 2.0 Multiple Response Types §3). */
export function parseResponseType(text: string | undefined): ResponseType | undefined {
  const words = (text ?? '').split(' ').filter(word => word !== '');
  return responseTypes.find(type => {
    const own = type.split(' ');
    return own.length === words.length && own.every(word => words.includes(word));
  });
}

/** True if the response contains a `code`, `token` or `id_token`. */
export function brings(type: ResponseType, what: 'code' | 'token' | 'id_token'): boolean {
  return type.split(' ').includes(what);
}
