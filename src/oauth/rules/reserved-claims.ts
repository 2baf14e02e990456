/**
 * Claims that the protocol sets, and that no rule can replace: those of RFC 7519 §4.1, RFC 9068 §2.2, OIDC Core §2 and
 * §3.1.3.6, of sender constraints (RFC 7800), of exchanges (RFC 8693 §4) and of logout tokens.
 */
export const reservedClaims: readonly string[] = [
  'iss',
  'sub',
  'aud',
  'exp',
  'nbf',
  'iat',
  'jti',
  'client_id',
  'scope',
  'azp',
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'auth_time',
  'acr',
  'amr',
  'sid',
  'cnf',
  'act',
  'may_act',
  'authorization_details',
  'events',
];
