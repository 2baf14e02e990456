import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

const badCredentials = 'Invalid client or Invalid client credentials';
const unknownClient = { status: 401, error: 'invalid_client', error_description: badCredentials };
const wrongSecret = { status: 401, error: 'unauthorized_client', error_description: badCredentials };
const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const text = (error_description: string) => ({ error_description });
const invalidRefreshToken = 'Invalid refresh token';
const invalidScopes = { status: 400, error: 'invalid_scope', error_description: 'Invalid scopes: ${sent}' };

/** Errors of Keycloak 26 by our reason, as its source writes them. Applications and SDKs compare the texts. */
export const errors: DialectData['errors'] = {
  // ClientIdAndSecretAuthenticator.java, AuthenticationProcessor.java
  client_unknown: unknownClient,
  client_unidentified: { status: 400, error: 'invalid_client', error_description: 'Missing client_id parameter' },
  client_secret_missing: wrongSecret,
  client_secret_wrong: wrongSecret,
  authentication_method_not_registered: unknownClient,
  client_assertion_signature_wrong: unknownClient,
  client_assertion_expired: unknownClient,
  client_assertion_replayed: unknownClient,
  // TokenEndpoint.java
  grant_type_unsupported: text('Unsupported grant_type'),
  parameter_repeated: text('duplicated parameter'),
  // ClientCredentialsGrantType.java, ResourceOwnerPasswordCredentialsGrantType.java, AuthorizationCodeGrantType.java
  grant_type_not_registered: [
    {
      sent: 'client_credentials',
      status: 401,
      error_description: 'Client not enabled to retrieve service account',
    },
    { sent: 'password', error_description: 'Client not allowed for direct access grants' },
    { sent: 'authorization_code', ...grant('Client not allowed to exchange code') },
    {
      sent: 'urn:ietf:params:oauth:grant-type:device_code',
      ...grant('Client not allowed OAuth 2.0 Device Authorization Grant'),
    },
  ],
  login_failed: { status: 401, error: 'invalid_grant', error_description: 'Invalid user credentials' },
  scope_not_registered: invalidScopes,
  scope_malformed: invalidScopes,
  code_expired_or_unknown: grant('Code not valid'),
  code_replayed: grant('Code not valid'),
  code_of_another_client: grant('Auth error: Found different client_id in clientSession'),
  redirect_uri_mismatch: grant('Incorrect redirect_uri'),
  redirect_uri_missing: [{ sent: 'none', ...grant('Incorrect redirect_uri') }],
  // PkceUtils.java
  pkce_mismatch: grant('PKCE verification failed: Code mismatch'),
  pkce_unexpected: grant('PKCE code verifier specified but challenge not present in authorization'),
  // RefreshTokenGrantType.java, AbstractRefreshTokenProvider.java
  refresh_token_expired_or_unknown: grant(invalidRefreshToken),
  refresh_token_of_another_client: grant(`${invalidRefreshToken}. Token client and authorized client don't match`),
  refresh_token_reused: grant('Maximum allowed refresh token reuse exceeded'),
  authorization_revoked: grant('Session not active'),
  token_ended: grant('Token is not active'),
  // DeviceGrantType.java
  authorization_pending: text('The authorization request is still pending'),
  polled_too_fast: text('Slow down'),
  device_code_expired: text('Device code is expired'),
  device_code_unknown: grant('Device code not valid'),
  device_code_used: grant('Device code not valid'),
};
