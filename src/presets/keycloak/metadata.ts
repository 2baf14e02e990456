import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/**
 * The metadata of a realm. The sandbox does not promise what it does not keep: `code_challenge_methods_supported` is
 * without `plain`, `response_types_supported` without `none`, and `acr_values_supported` without `0`.
 */
export const metadata: DialectData['metadata'] = {
  add: {
    acr_values_supported: ['1'],
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'acr',
      'azp',
      'nonce',
    ],
    // public clients are not listed, although they may ask
    token_endpoint_auth_methods_supported: '${usual.introspection_endpoint_auth_methods_supported}',
    revocation_endpoint_auth_methods_supported: '${usual.introspection_endpoint_auth_methods_supported}',
  },
  omit: [
    'client_id_metadata_document_supported',
    'protected_resources',
    'ui_locales_supported',
    'service_documentation',
  ],
};
