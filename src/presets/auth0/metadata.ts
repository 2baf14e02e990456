import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/**
 * The metadata of a tenant. The sandbox does not promise what it does not keep: `code_challenge_methods_supported` is
 * without `plain`, `id_token_signing_alg_values_supported` without `HS256`, and there is no global token revocation.
 */
export const metadata: DialectData['metadata'] = {
  add: {
    mfa_challenge_endpoint: '${issuer}/mfa/challenge',
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'RS384', 'PS256'],
    id_token_signing_alg_values_supported: ['RS256', 'PS256'],
    claims_supported: [
      ...['aud', 'auth_time', 'email', 'email_verified', 'exp', 'family_name', 'given_name', 'iat', 'iss', 'name'],
      ...['nickname', 'picture', 'sub'],
    ],
    backchannel_token_delivery_modes_supported: ['poll'],
    dpop_signing_alg_values_supported: ['ES256'],
  },
  omit: [
    ...['grant_types_supported', 'authorization_response_iss_parameter_supported', 'acr_values_supported'],
    ...['claim_types_supported', 'claims_parameter_supported', 'prompt_values_supported', 'ui_locales_supported'],
    ...['client_id_metadata_document_supported', 'protected_resources', 'check_session_iframe'],
    ...['frontchannel_logout_supported', 'frontchannel_logout_session_supported', 'service_documentation'],
    ...['introspection_endpoint', 'introspection_endpoint_auth_methods_supported'],
    ...['introspection_endpoint_auth_signing_alg_values_supported', 'introspection_signing_alg_values_supported'],
    ...['revocation_endpoint_auth_methods_supported', 'revocation_endpoint_auth_signing_alg_values_supported'],
    ...['require_signed_request_object', 'require_pushed_authorization_requests'],
    ...['authorization_signing_alg_values_supported', 'authorization_details_types_supported'],
    ...['backchannel_authentication_request_signing_alg_values_supported'],
    ...['backchannel_user_code_parameter_supported', 'userinfo_signing_alg_values_supported'],
    ...['id_token_encryption_alg_values_supported', 'id_token_encryption_enc_values_supported'],
    ...['userinfo_encryption_alg_values_supported', 'userinfo_encryption_enc_values_supported'],
  ],
};
