import { OAuthError } from './errors.ts';

/** Claims of ID tokens that the protocol defines (OIDC Core §2), in the order of `claims_supported`. */
export const idTokenClaimNames: readonly string[] = [
  'iss',
  'sub',
  'aud',
  'azp',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'at_hash',
  'sid',
  'acr',
  'amr',
];

/** Claims about a token and its login, which say nothing else of the person. */
export const protocolClaims: readonly string[] = [...idTokenClaimNames, 'nbf', 'jti', 'c_hash', 's_hash'];

/**
 * Claims that neither a rule nor a login can set: those of RFC 7519 §4.1, RFC 9068 §2.2, OIDC Core §2 and §3.1.3.6, of
 * sender constraints (RFC 7800), of exchanges (RFC 8693 §4), of granted details (RFC 9396 §9.1), and `events`, which makes
 * a JWT a logout token or another event (RFC 8417 §2.2).
 */
export const reservedClaims: readonly string[] = [
  ...protocolClaims,
  'client_id',
  'scope',
  'cnf',
  'act',
  'may_act',
  'authorization_details',
  'events',
];

/** The most characters of the claims of one token, as JSON. Servers that read tokens refuse headers a fraction as long. */
export const mostClaims = 256 * 1024;

/** @throws server_error for claims above the limit; `what` is the beginning of the sentence */
export function refuseLongClaims(what: string): never {
  const description = `${what} more than ${mostClaims / 1024} kB, which is the most for one token`;
  throw new OAuthError('server_error', 'token_too_large', description);
}
