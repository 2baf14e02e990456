/** Names of token defects, for minting and for faults; `defects.ts` implements them. */
export const defectNames = [
  'expired',
  'not_yet_valid',
  'wrong_issuer',
  'wrong_audience',
  'wrong_type',
  'missing_claim',
  'wrong_nonce',
  'wrong_subject',
  'tampered',
  'bad_signature',
  'wrong_key',
  'unknown_kid',
  'alg_none',
  'hs256_with_public_key',
  'unknown_crit',
  'huge_token',
] as const;

/** A deliberate defect of a token, such as `expired`. */
export type Defect = (typeof defectNames)[number];

/** Names of faults. They are in a separate file because a start needs only the names; the catalogue describes them. */
export const faultNames = [
  'slow',
  'jitter',
  'no_answer',
  'unavailable',
  'server_error',
  'http_status',
  'redirected',
  'rate_limited',
  'bad_gateway',
  'html_instead_of_json',
  'empty_body',
  'broken_json',
  'truncated',
  'connection_dropped',
  'no_cors',
  'dpop_nonce',
  'challenge_case',
  'metadata_wrong_issuer',
  'metadata_missing_member',
  'keys_empty',
  'keys_unknown',
  'keys_rotated',
  'authorize_error',
  'wrong_state',
  'missing_state',
  'wrong_iss',
  'missing_iss',
  'double_redirect',
  'wrong_code',
  'reversed_parameters',
  'token_error',
  'missing_member',
  'wrong_token_type',
  'token_type_case',
  'wrong_expires_in',
  'expires_in_text',
  'opaque_access_token',
  'refresh_race',
  'userinfo_wrong_sub',
  'userinfo_unauthorized',
  'api_unauthorized',
  'api_forbidden',
  ...defectNames,
  'multi_factor',
] as const;

/** Faults that need to be told what to change, so that a name alone cannot arm them. */
export const changingFaultNames = ['changed_members', 'changed_parameters', 'changed_claims'] as const;

/** Prefixes of user names that arm a fault for the user, such as `expired@example.test`. */
export const magicNames = { expired: 'expired', slow: 'slow', deny: 'authorize_error', mfa: 'multi_factor' } as const;
