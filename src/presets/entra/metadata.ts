import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/** The metadata of a tenant, version 2.0, as recordings of login.microsoftonline.com have it. */
export const metadata: DialectData['metadata'] = {
  add: {
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    request_uri_parameter_supported: false,
    userinfo_endpoint: '${origin}/oidc/userinfo',
    http_logout_supported: true,
    // without those that no token here has: cloud_instance_name, msgraph_host, acr and the hashes of the front channel
    claims_supported: [
      ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'preferred_username', 'name', 'tid', 'ver'],
      'email',
    ],
    tenant_region_scope: 'EU',
    cloud_instance_name: '${host}',
    cloud_graph_host_name: '${host}',
    msgraph_host: '${host}',
  },
  omit: [
    ...['grant_types_supported', 'code_challenge_methods_supported', 'authorization_response_iss_parameter_supported'],
    ...['token_endpoint_auth_signing_alg_values_supported', 'request_parameter_supported', 'ui_locales_supported'],
    ...['service_documentation', 'frontchannel_logout_session_supported', 'tls_client_certificate_bound_access_tokens'],
    ...['mtls_endpoint_aliases', 'claim_types_supported', 'prompt_values_supported', 'claims_parameter_supported'],
    ...['id_token_encryption_alg_values_supported', 'id_token_encryption_enc_values_supported'],
    ...['userinfo_signing_alg_values_supported', 'userinfo_encryption_alg_values_supported'],
    ...['userinfo_encryption_enc_values_supported', 'acr_values_supported'],
  ],
};
