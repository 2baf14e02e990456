/** Problems of the token, or of the way it was sent. */
type TokenReason =
  | 'token_missing'
  | 'token_in_query'
  | 'scheme_not_bearer'
  | 'authorization_malformed'
  | 'authorization_repeated'
  | 'token_malformed'
  | 'token_opaque'
  | 'token_encrypted'
  | 'token_unsigned'
  | 'alg_refused'
  | 'typ_mismatch'
  | 'id_token_sent'
  | 'key_unknown'
  | 'key_for_another_alg'
  | 'signature_invalid'
  | 'issuer_mismatch'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'claim_malformed'
  | 'token_inactive'
  | 'token_ended'
  | 'audience_mismatch';

/** Problems of the proof that the sender owns the token (RFC 8705, RFC 9449). */
type ProofReason =
  | 'certificate_missing'
  | 'certificate_mismatch'
  | 'dpop_scheme_missing'
  | 'dpop_not_bound'
  | 'dpop_proof_missing'
  | 'dpop_proof_repeated'
  | 'dpop_proof_malformed'
  | 'dpop_alg_refused'
  | 'dpop_proof_key_invalid'
  | 'dpop_signature_invalid'
  | 'dpop_htm_mismatch'
  | 'dpop_htu_mismatch'
  | 'dpop_ath_mismatch'
  | 'dpop_iat_out_of_range'
  | 'dpop_nonce_missing'
  | 'dpop_nonce_stale'
  | 'dpop_key_mismatch'
  | 'dpop_jti_missing'
  | 'dpop_proof_replayed';

/** Limits of a valid token. */
type AuthorityReason =
  | 'scope_insufficient'
  | 'authentication_too_weak'
  | 'authentication_time_missing'
  | 'authentication_too_old';

/** Problems in the rest of the request. */
type RequestReason =
  | 'path_unknown'
  | 'path_malformed'
  | 'method_not_allowed'
  | 'id_malformed'
  | 'row_unknown'
  | 'query_invalid'
  | 'body_type_unsupported'
  | 'body_encoding_unsupported'
  | 'body_too_large'
  | 'body_empty'
  | 'body_malformed'
  | 'body_cut_off'
  | 'body_invalid'
  | 'internal';

/** Why a request was refused, exactly: closed and stable, for logs, explanations and assertions; never on the wire. */
export type ResourceReason = TokenReason | ProofReason | AuthorityReason | RequestReason;
