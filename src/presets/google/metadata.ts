import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/**
 * The members of Google's discovery document. The sandbox does not promise what it does not keep:
 * `code_challenge_methods_supported` is without `plain`, and `response_types_supported` has the implicit types only if a client
 * uses them.
 */
export const metadata: DialectData['metadata'] = {
  keep: [
    'issuer',
    'authorization_endpoint',
    'device_authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'jwks_uri',
    'response_types_supported',
    'code_challenge_methods_supported',
  ],
  omit: [],
  add: {
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'picture',
      'sub',
    ],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ],
  },
};
