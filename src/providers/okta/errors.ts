import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const text = (error_description: string) => ({ error_description });
const client = (error_description: string) => ({ status: 401, error: 'invalid_client', error_description });

const unknownScopes = text('One or more scopes are not configured for the authorization server resource.');
const notToPrompt = text('The client specified not to prompt, but the user is not logged in.');
const invalidCode = grant('The authorization code is invalid or has expired.');
// okta-auth-js drops its refresh token at exactly this text (oidc/util/errors.js)
const invalidRefreshToken = grant('The refresh token is invalid or expired.');
const responseTypes = {
  error: 'unsupported_response_type',
  error_description:
    'The response type is not supported by the authorization server. Configured response types: [${expected}]',
};
const severalCredentials =
  'Cannot supply multiple client credentials. Use one of the following: credentials in the Authorization header, credentials in the post body, or a client_assertion in the post body.';

/** Errors of Okta by our reason, in the texts that applications and SDKs compare. `api-errors.ts` has their form. */
export const errors: DialectData['errors'] = {
  client_unknown: {
    status: 400,
    error: 'invalid_client',
    error_description: "Invalid value for 'client_id' parameter.",
  },
  client_unidentified: client('No client credentials found.'),
  client_secret_missing: client('No client credentials found.'),
  client_secret_wrong: client('The client secret supplied for a confidential client is invalid.'),
  authentication_methods_combined: { ...text(severalCredentials), status: 400, error: 'invalid_request' },
  redirect_uri_not_registered: text(
    "The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.",
  ),
  pkce_missing: text("PKCE code challenge is required when the token endpoint authentication method is 'NONE'."),
  pkce_mismatch: grant('PKCE verification failed.'),
  scope_missing: text(
    "The authorization server resource does not have any configured default scopes, 'scope' must be provided.",
  ),
  scope_not_registered: unknownScopes,
  scope_malformed: unknownScopes,
  login_required: notToPrompt,
  user_denied: text('The resource owner or authorization server denied the request.'),
  grant_type_not_registered: text(
    'The client is not authorized to use the provided grant type. Configured grant types: [${expected}].',
  ),
  grant_type_unsupported: text('The authorization grant type is not supported by the authorization server.'),
  response_type_unsupported: responseTypes,
  response_type_not_registered: responseTypes,
  code_expired_or_unknown: invalidCode,
  code_replayed: invalidCode,
  code_of_another_client: invalidCode,
  redirect_uri_mismatch: grant(
    "The 'redirect_uri' does not match the redirection URI used in the authorization request.",
  ),
  refresh_token_expired_or_unknown: invalidRefreshToken,
  refresh_token_of_another_client: invalidRefreshToken,
  refresh_token_reused: invalidRefreshToken,
  authorization_revoked: invalidRefreshToken,
  login_failed: grant('The credentials provided were invalid.'),
  authorization_pending: text('The device authorization is pending. Please try again later.'),
  access_token_unreadable: text('The access token is invalid.'),
  access_token_expired: text('The access token is invalid.'),
  access_token_revoked: text('The access token is invalid.'),
};
