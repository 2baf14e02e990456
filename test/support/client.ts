import type { RegisteredClient } from '../../src/oauth/client.ts';

/** A public client nothing is special about; tests spread it and say what is. */
export const publicClient: RegisteredClient = {
  client_id: 'frontend',
  client_name: 'Demo front end',
  token_endpoint_auth_methods: ['none'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [],
  post_logout_redirect_uris: [],
  scope: 'openid',
  id_token_signed_response_alg: 'RS256',
  loopback_redirects: true,
  require_pkce: true,
  audience: [],
  access_token_format: 'jwt',
  access_token_lifetime: 300,
  id_token_claims: 'scope',
  refresh_token_rotation: true,
  access_token_claims: {},
};
