/** What can be wrong with a token on purpose, whether it is minted so or a fault bends it; `defects.ts` says how. */
export const defectNames = [
  ...(['expired', 'not_yet_valid', 'wrong_issuer', 'wrong_audience', 'wrong_type', 'missing_claim'] as const),
  ...(['wrong_nonce', 'wrong_subject', 'tampered', 'bad_signature', 'wrong_key', 'unknown_kid'] as const),
  ...(['alg_none', 'hs256_with_public_key', 'unknown_crit', 'huge_token'] as const),
] as const;

export type Defect = (typeof defectNames)[number];

/** What can be made to go wrong, by name; the catalogue says what each is. Here alone, because a start needs only the names. */
export const faultNames = [
  ...(['slow', 'jitter', 'no_answer', 'unavailable', 'server_error', 'http_status', 'rate_limited'] as const),
  ...(['bad_gateway', 'html_instead_of_json', 'empty_body', 'broken_json'] as const),
  ...(['truncated', 'connection_dropped', 'no_cors'] as const),
  ...(['metadata_wrong_issuer', 'metadata_missing_member', 'keys_empty', 'keys_unknown', 'keys_rotated'] as const),
  ...(['authorize_error', 'wrong_state', 'missing_state', 'wrong_iss', 'missing_iss'] as const),
  ...(['double_redirect', 'wrong_code'] as const),
  ...(['token_error', 'missing_member', 'wrong_token_type', 'wrong_expires_in', 'expires_in_text'] as const),
  ...(['opaque_access_token', 'userinfo_wrong_sub', 'userinfo_unauthorized'] as const),
  ...(['api_unauthorized', 'api_forbidden'] as const),
  ...defectNames,
  'multi_factor',
] as const;

/** The beginnings of user names that bring a fault with them, whoever is in: `expired@example.test`. */
export const magicNames = { expired: 'expired', slow: 'slow', deny: 'authorize_error', mfa: 'multi_factor' } as const;
