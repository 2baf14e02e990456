import type { DialectData } from '../../oauth/dialects/dialect-data.ts';

/**
 * The metadata of a user pool, which names little: no `code_challenge_methods_supported`, although PKCE works. Clients that
 * look for that member stop, as at Cognito. `response_types_supported` has `token` only if a client may ask for it.
 */
export const metadata: DialectData['metadata'] = {
  keep: [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'end_session_endpoint',
    'jwks_uri',
    'response_types_supported',
  ],
  omit: [],
  add: {
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
};
