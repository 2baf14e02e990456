import type { DialectData, ErrorRule } from '../../protocol/dialects/dialect-data.ts';

const unauthorized: ErrorRule = { status: 401, error: 'access_denied', error_description: 'Unauthorized' };
const refused = (error: string, error_description: string): ErrorRule => ({ status: 403, error, error_description });
const invalidCode = refused('invalid_grant', 'Invalid authorization code');
const invalidRefreshToken = refused('invalid_grant', 'Unknown or invalid refresh token.');

/** Errors of a tenant by our reason. Its SDKs compare some of the texts. */
export const errors: DialectData['errors'] = {
  client_unknown: unauthorized,
  client_secret_missing: unauthorized,
  client_secret_wrong: unauthorized,
  authentication_method_not_registered: unauthorized,
  parameter_missing: { error_description: 'Missing required parameter: ${expected}' },
  grant_type_unsupported: refused('unsupported_grant_type', 'Unsupported grant type: ${sent}'),
  grant_type_not_registered: refused('unauthorized_client', "Grant type '${sent}' not allowed for the client."),
  code_expired_or_unknown: invalidCode,
  code_replayed: invalidCode,
  code_of_another_client: invalidCode,
  redirect_uri_mismatch: [
    refused('unauthorized_client', 'The redirect URI is wrong. You sent ${sent}, and we expected ${expected}'),
  ],
  redirect_uri_missing: [
    {
      sent: 'none',
      ...refused('unauthorized_client', 'The redirect URI is wrong. You sent null, and we expected ${expected}'),
    },
  ],
  pkce_mismatch: refused('invalid_grant', 'Failed to verify code verifier'),
  refresh_token_expired_or_unknown: invalidRefreshToken,
  refresh_token_of_another_client: invalidRefreshToken,
  refresh_token_reused: invalidRefreshToken,
  authorization_revoked: invalidRefreshToken,
  token_ended: invalidRefreshToken,
  login_failed: refused('invalid_grant', 'Wrong email or password.'),
  login_required: { error_description: 'Login required' },
  resource_unknown: refused('access_denied', 'Service not found: ${sent}'),
  resource_missing: refused(
    'access_denied',
    'No audience parameter was provided, and no default audience has been configured',
  ),
  client_grant_missing: refused(
    'access_denied',
    "Client is not authorized to access '${sent}'. You need to create a 'client-grant' associated to this API. See: https://auth0.com/docs/api/v2#!/Client_Grants/post_client_grants",
  ),
  second_factor_required: refused('mfa_required', 'Multifactor authentication required'),
  second_factor_token_invalid: refused('invalid_grant', 'Malformed mfa_token'),
  second_factor_wrong: [
    { sent: 'otp', ...refused('invalid_grant', 'Invalid otp_code.') },
    { sent: 'oob', ...refused('invalid_grant', 'Invalid binding_code.') },
    refused('invalid_grant', 'MFA Authorization rejected.'),
  ],
  authorization_pending: refused('authorization_pending', 'User has yet to authorize device code.'),
  polled_too_fast: {
    status: 429,
    error_description: 'You are polling faster than the specified interval of 5 seconds.',
  },
  device_code_expired: refused('expired_token', 'The device code has expired.'),
  device_code_unknown: refused('invalid_grant', 'Invalid or expired device code.'),
  post_logout_redirect_uri_mismatch: {
    error_description:
      'The returnTo querystring parameter ${sent} is not defined as a valid URL in Allowed Logout URLs',
  },
};
