/** What can be made to go wrong, by name; the catalogue says what each is. Here alone, because a start needs only the names. */
export const faultNames = [
  ...(['slow', 'jitter', 'unavailable', 'server_error', 'rate_limited', 'bad_gateway'] as const),
  ...(['html_instead_of_json', 'empty_body', 'broken_json', 'truncated', 'connection_dropped', 'no_cors'] as const),
  ...(['metadata_wrong_issuer', 'metadata_missing_member', 'keys_empty', 'keys_unknown'] as const),
  ...(['authorize_error', 'wrong_state', 'missing_state', 'wrong_iss', 'missing_iss', 'wrong_code'] as const),
  ...(['token_error', 'missing_member', 'wrong_token_type', 'wrong_expires_in', 'expires_in_text'] as const),
  ...(['opaque_access_token', 'userinfo_wrong_sub', 'userinfo_unauthorized'] as const),
  ...(['api_unauthorized', 'api_forbidden'] as const),
  ...(['expired', 'not_yet_valid', 'wrong_issuer', 'wrong_audience', 'wrong_nonce', 'wrong_subject'] as const),
  ...(['missing_claim', 'multi_factor', 'huge_token', 'bad_signature', 'wrong_key', 'unknown_kid'] as const),
  ...(['alg_none', 'hs256'] as const),
] as const;

/** The beginnings of user names that bring a fault with them, whoever is in: `expired@example.test`. */
export const magicNames = { expired: 'expired', slow: 'slow', deny: 'authorize_error', mfa: 'multi_factor' } as const;
