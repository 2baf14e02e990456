import type { ApiReason } from '../refusal-reason.ts';
import { dpopFixes } from './dpop.ts';
import type { Fix } from './fix.ts';

const header = 'Send the token in the header: Authorization: Bearer, one space, the access token, nothing around it.';
const wholeToken = 'Send the access_token of the token response, whole and unchanged.';
const json = 'Send Content-Type: application/json and a body in well-formed JSON, in UTF-8, not compressed.';

/** Refusals of tokens by the sample backend; your own API has to refuse the same ones. */
const tokenFixes = {
  api_token_missing: { fix: header, rfc: 'RFC 6750 §2.1' },
  api_token_in_query: { fix: `${header} An address ends up in logs and histories.`, rfc: 'RFC 6750 §2.3' },
  api_scheme_not_bearer: { fix: header, rfc: 'RFC 6750 §2.1' },
  api_authorization_malformed: { fix: header, rfc: 'RFC 6750 §2.1' },
  api_authorization_repeated: {
    fix: 'Send one Authorization header. Many libraries add one by themselves: leave out the one that the application adds.',
    rfc: 'RFC 9110 §5.3',
  },
  api_token_malformed: { fix: wholeToken, rfc: 'RFC 9068 §4' },
  api_token_opaque: {
    fix: 'Send the access token, no code and no refresh token. An opaque access token needs API_TOKEN_CHECK=introspection, or a client with access_token_format jwt.',
    rfc: 'RFC 7662 §2',
  },
  api_token_encrypted: { fix: wholeToken, rfc: 'RFC 9068 §4' },
  api_token_unsigned: { fix: `${wholeToken} Nobody may take a token that is not signed.`, rfc: 'RFC 8725 §3.1' },
  api_alg_refused: { fix: `${wholeToken} An API decides itself which algorithms it takes.`, rfc: 'RFC 8725 §3.1' },
  api_typ_mismatch: { fix: wholeToken, rfc: 'RFC 9068 §2.1' },
  api_id_token_sent: {
    fix: 'Send access_token of the token response instead of id_token. The ID Token tells your app who logged in; it opens nothing.',
    rfc: 'RFC 9068 §2.1',
  },
  api_key_unknown: {
    fix: 'Log in again: keys are new on each start, and those of old tokens are gone. SEED or KEYS_FILE keeps them.',
    rfc: 'RFC 9068 §4',
  },
  api_key_for_another_alg: { fix: wholeToken, rfc: 'RFC 8725 §3.1' },
  api_signature_invalid: {
    fix: 'Send the token unchanged: whoever edits a claim breaks the signature. To test other claims, change the user and log in again.',
    rfc: 'RFC 7515 §5.2',
  },
  api_issuer_mismatch: {
    fix: 'Send a token of this very sandbox. Where it goes by several names, the page Connect says which of them counts.',
    rfc: 'RFC 9068 §4',
  },
  api_token_expired: {
    fix: 'Get a new access token with the refresh token, before the old one expires or when the API answers 401.',
    rfc: 'RFC 6750 §3.1',
  },
  api_token_not_yet_valid: { fix: 'Compare the clocks: nbf of the token is in the future.', rfc: 'RFC 7519 §4.1.5' },
  api_claim_malformed: { fix: wholeToken, rfc: 'RFC 9068 §4' },
  api_token_inactive: {
    fix: 'Log in again: the token was revoked, has expired, or is not of here.',
    rfc: 'RFC 7662 §2.2',
  },
  api_token_ended: {
    fix: 'Somebody pressed Expire now for it. Get a new one, as your app must when a token expires by itself; or take it back on its page.',
    rfc: 'RFC 6750 §3.1',
  },
  api_audience_mismatch: {
    fix: 'Ask for the API with the parameter resource when the login starts, or register it as audience of the client.',
    rfc: 'RFC 9068 §4',
  },
  api_scope_insufficient: { fix: 'Ask for the scope when the login starts, and log in again.', rfc: 'RFC 6750 §3.1' },
  api_authentication_too_weak: {
    fix: 'Start a login with the acr_values of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
  },
  api_authentication_time_missing: {
    fix: 'Send a token from a login of a user: one a client got for itself has no auth_time.',
    rfc: 'RFC 9470 §5',
  },
  api_authentication_too_old: {
    fix: 'Start a login with the max_age of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
  },
} as const satisfies Partial<Record<ApiReason, Fix>>;

const proofFixes = {
  api_certificate_missing: {
    fix: 'Connect with the client certificate that the token is bound to.',
    rfc: 'RFC 8705 §3',
  },
  api_certificate_mismatch: dpopFixes.certificate_mismatch,
  api_dpop_scheme_missing: {
    fix: 'Send Authorization: DPoP with the token, and a proof in the header DPoP.',
    rfc: 'RFC 9449 §7.1',
  },
  api_dpop_not_bound: dpopFixes.token_not_bound,
  api_dpop_proof_missing: { fix: 'Make a proof for this request and send it in the header DPoP.', rfc: 'RFC 9449 §7' },
  api_dpop_proof_repeated: { fix: 'Send one DPoP header with one proof.', rfc: 'RFC 9449 §4.3' },
  api_dpop_proof_malformed: dpopFixes.dpop_proof_malformed,
  api_dpop_alg_refused: dpopFixes.dpop_proof_alg_unsupported,
  api_dpop_proof_key_invalid: dpopFixes.dpop_proof_key_invalid,
  api_dpop_signature_invalid: dpopFixes.dpop_proof_signature_wrong,
  api_dpop_htm_mismatch: dpopFixes.dpop_proof_for_another_request,
  api_dpop_htu_mismatch: dpopFixes.dpop_proof_for_another_request,
  api_dpop_ath_mismatch: dpopFixes.dpop_proof_for_another_token,
  api_dpop_iat_out_of_range: dpopFixes.dpop_proof_time,
  api_dpop_nonce_missing: dpopFixes.dpop_nonce_needed,
  api_dpop_nonce_stale: dpopFixes.dpop_nonce_needed,
  api_dpop_key_mismatch: { fix: 'Sign the proof with the key that the token was asked for with.', rfc: 'RFC 9449 §6' },
  api_dpop_jti_missing: { fix: 'Give each proof a jti of its own.', rfc: 'RFC 9449 §4.2' },
  api_dpop_proof_replayed: dpopFixes.dpop_proof_replayed,
} as const satisfies Partial<Record<ApiReason, Fix>>;

const requestFixes = {
  api_path_unknown: { fix: 'Call one of the collections; the page API lists them.', rfc: 'RFC 9110 §15.5.5' },
  api_path_malformed: { fix: 'Percent-encode the path as UTF-8, once.', rfc: 'RFC 3986 §2.1' },
  api_method_not_allowed: { fix: 'Use a method the Allow header of the answer names.', rfc: 'RFC 9110 §15.5.6' },
  api_id_malformed: { fix: 'Use the id of a row, a whole number.', rfc: 'RFC 9110 §15.5.1' },
  api_row_unknown: {
    fix: 'Read the collection for the ids there are. Changes are gone after a restart or a reset.',
    rfc: 'RFC 9110 §15.5.5',
  },
  api_query_invalid: {
    fix: 'Use page, size and the names of fields; the answer says which parameter is wrong.',
    rfc: 'RFC 9110 §15.5.1',
  },
  api_body_type_unsupported: { fix: json, rfc: 'RFC 9110 §15.5.16' },
  api_body_encoding_unsupported: { fix: json, rfc: 'RFC 9110 §15.5.16' },
  api_body_too_large: { fix: 'Send less than 256 KiB.', rfc: 'RFC 9110 §15.5.14' },
  api_body_empty: { fix: json, rfc: 'RFC 9110 §15.5.1' },
  api_body_malformed: { fix: json, rfc: 'RFC 8259 §2' },
  api_body_cut_off: { fix: 'Send as many bytes as Content-Length says.', rfc: 'RFC 9110 §8.6' },
  api_body_invalid: { fix: 'Mend the fields that the errors member of the answer names.', rfc: 'RFC 9457 §3' },
  api_internal: {
    fix: 'This one is on us. The log has the details under the id of the request.',
    rfc: 'RFC 9110 §15.6.1',
  },
} as const satisfies Partial<Record<ApiReason, Fix>>;

/** One entry per reason of the sample backend; the compiler demands a new one when a reason is added. */
export const apiFixes: Readonly<Record<ApiReason, Fix>> = { ...tokenFixes, ...proofFixes, ...requestFixes };
