import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

const answered = (error: string, error_description: string) => ({ status: 200, error, error_description });
const badCode = answered('bad_verification_code', 'The code passed is incorrect or expired.');
const badCredentials = answered(
  'incorrect_client_credentials',
  'The client_id and/or client_secret passed are incorrect.',
);
const badRefreshToken = answered('bad_refresh_token', 'The refresh token passed is incorrect or expired.');
const badDevice = answered('incorrect_device_code', 'The device_code provided is not valid.');
const otherRedirect = 'The redirect_uri MUST match the registered callback URL for this application.';

/** Errors of GitHub by our reason. The token endpoint answers them with the status 200. */
export const errors: DialectData['errors'] = {
  client_unknown: badCredentials,
  client_unidentified: badCredentials,
  client_secret_missing: badCredentials,
  client_secret_wrong: badCredentials,
  code_expired_or_unknown: badCode,
  code_replayed: badCode,
  code_of_another_client: badCode,
  pkce_mismatch: badCode,
  pkce_missing: badCode,
  parameter_missing: badCode,
  user_unverified: answered('unverified_user_email', 'The user must have a verified primary email.'),
  redirect_uri_mismatch: answered('redirect_uri_mismatch', otherRedirect),
  redirect_uri_not_registered: { status: 400, error: 'redirect_uri_mismatch', error_description: otherRedirect },
  user_denied: answered('access_denied', 'The user has denied your application access.'),
  grant_type_unsupported: answered('unsupported_grant_type', 'The grant type is not supported.'),
  grant_type_not_registered: [
    {
      sent: 'urn:ietf:params:oauth:grant-type:device_code',
      ...answered('device_flow_disabled', 'Device Flow must be explicitly enabled for this App.'),
    },
    answered('unsupported_grant_type', 'The grant type is not supported.'),
  ],
  refresh_token_expired_or_unknown: badRefreshToken,
  refresh_token_of_another_client: badRefreshToken,
  refresh_token_reused: badRefreshToken,
  authorization_revoked: badRefreshToken,
  token_ended: badRefreshToken,
  authorization_pending: answered('authorization_pending', 'The authorization request is still pending.'),
  polled_too_fast: answered('slow_down', 'Too many requests have been made in the same timeframe.'),
  device_code_expired: answered('expired_token', 'The device_code has expired.'),
  device_code_unknown: badDevice,
  device_code_used: badDevice,
};
