/** Claims of ID Tokens that the protocol defines (OIDC Core §2), in the order of `claims_supported`. */
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
