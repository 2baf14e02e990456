import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/**
 * The members of Apple's discovery document. `claims_supported` is without `transfer_sub` and `real_user_status`, which only some
 * users have.
 */
export const metadata: DialectData['metadata'] = {
  keep: ['issuer', 'authorization_endpoint', 'token_endpoint', 'revocation_endpoint', 'jwks_uri'],
  omit: [],
  add: {
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    // the sub of a user is one of the team, and the sandbox is one team
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'name'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'iat',
      'is_private_email',
      'iss',
      'nonce',
      'nonce_supported',
      'sub',
    ],
  },
};
